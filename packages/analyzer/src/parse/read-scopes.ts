import type { AnyNode, Identifier, Pattern, Program } from "acorn";
import { base, make, recursive } from "acorn-walk";

import { eachBoundName } from "./patterns.js";
import { type Binding, type FunctionNode, type Scope, Scopes } from "./scope.js";

type NodeOf<Type extends AnyNode["type"]> = Extract<AnyNode, { type: Type }>;
type Continue = (node: AnyNode, scope: Scope) => void;
type Visit = (node: never, scope: Scope, next: Continue) => void;

const CHANGES_RECEIVER = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin set add delete clear append".split(" "),
);

const CHANGES_FIRST_INPUT = new Set(
  "assign defineProperty defineProperties setPrototypeOf set deleteProperty".split(" "),
);

/** Whether a method of this name changes what it is called on. */
export function changesReceiver(method: string): boolean {
  return CHANGES_RECEIVER.has(method);
}

/** Walks the code once, and finds out which name means what. */
export function readScopes(program: Program): Scopes {
  const scopes = new Scopes();
  recursive(program, scopes.open(program, undefined, true), {}, WALKER);
  return scopes.resolve();
}

const VISITORS: Record<string, Visit> = {
  Identifier: (node: Identifier, scope) => scope.owner.refer(scope, node),
  Function(node: FunctionNode, scope, next) {
    const { owner } = scope;
    if (node.type === "FunctionDeclaration") owner.declare(scope, node.id, { kind: "function", declared: node });
    const inner = owner.open(node, scope, true);
    if (node.type === "FunctionExpression" && node.id)
      owner.declare(inner, node.id, { kind: "function", declared: node });
    for (const param of node.params) declarePattern(param, { scope: inner, kind: "param" }, next);
    if (node.body.type !== "BlockStatement") next(node.body, inner);
    else for (const statement of node.body.body) next(statement, inner);
  },
  BlockStatement: visitInside,
  StaticBlock: visitInside,
  SwitchStatement: visitInside,
  ForStatement: visitInside,
  ForInStatement: visitForEach,
  ForOfStatement: visitForEach,
  CatchClause(node: NodeOf<"CatchClause">, scope, next) {
    const inner = scope.owner.open(node, scope);
    if (node.param) declarePattern(node.param, { scope: inner, kind: "catch" }, next);
    next(node.body, inner);
  },
  VariableDeclaration(node: NodeOf<"VariableDeclaration">, scope, next) {
    for (const { id, init } of node.declarations) {
      declarePattern(id, { scope, kind: node.kind as Binding["kind"] }, next);
      if (init) next(init, scope);
    }
  },
  Class(node: NodeOf<"ClassDeclaration" | "ClassExpression">, scope, next) {
    const { owner } = scope;
    if (node.type === "ClassDeclaration" && node.id) owner.declare(scope, node.id, { kind: "class" });
    const inner = owner.open(node, scope);
    if (node.type === "ClassExpression" && node.id) owner.declare(inner, node.id, { kind: "class" });
    if (node.superClass) next(node.superClass, inner);
    next(node.body, inner);
  },
  AssignmentExpression(node: NodeOf<"AssignmentExpression">, scope, next) {
    assignPattern(node.left, scope, next);
    if (node.operator !== "=" && node.left.type === "Identifier") scope.owner.refer(scope, node.left);
    next(node.right, scope);
  },
  UpdateExpression(node: NodeOf<"UpdateExpression">, scope, next) {
    assignPattern(node.argument, scope, next);
    if (node.argument.type === "Identifier") scope.owner.refer(scope, node.argument);
  },
  UnaryExpression(node: NodeOf<"UnaryExpression">, scope, next) {
    if (node.operator === "delete") scope.owner.mutate(scope, node.argument, node.start);
    if (node.operator === "typeof" && node.argument.type === "Identifier") scope.owner.asked.add(node.argument);
    next(node.argument, scope);
  },
  Property(node: NodeOf<"Property">, scope, next) {
    if (node.shorthand && node.value.type === "Identifier") scope.owner.shorthand(node.value);
    if (node.computed) next(node.key, scope);
    next(node.value, scope);
  },
  CallExpression(node: NodeOf<"CallExpression">, scope, next) {
    scope.owner.call(node);
    const { callee, arguments: inputs } = node;
    const [first] = inputs;
    const isMember = callee.type === "MemberExpression";
    const method = isMember ? methodName(callee) : "";
    if (isMember && changesReceiver(method)) scope.owner.mutate(scope, callee.object, node.start);
    if (CHANGES_FIRST_INPUT.has(method) && first && first.type !== "ObjectExpression")
      scope.owner.mutate(scope, first, node.start);
    next(callee, scope);
    for (const input of inputs) next(input, scope);
  },
  AwaitExpression(node: NodeOf<"AwaitExpression">, scope, next) {
    scope.owner.call(node);
    next(node.argument, scope);
  },
  NewExpression(node: NodeOf<"NewExpression">, scope, next) {
    scope.owner.call(node);
    next(node.callee, scope);
    for (const input of node.arguments) next(input, scope);
  },
  ImportDeclaration: refuse,
  ImportExpression: refuse,
  ExportAllDeclaration: refuse,
  ExportDefaultDeclaration: refuse,
  ExportNamedDeclaration: refuse,
  MetaProperty(node: NodeOf<"MetaProperty">, scope) {
    if (node.meta.name === "import") refuse(node, scope);
  },
};

const WALKER = make(VISITORS as Parameters<typeof make>[0], base);

function methodName({ property, computed }: NodeOf<"MemberExpression">): string {
  if (property.type === "Identifier" && !computed) return property.name;
  return property.type === "Literal" ? String(property.value) : "";
}

function refuse(node: AnyNode, scope: Scope): void {
  scope.owner.refused.push(node);
}

function visitInside(node: AnyNode, scope: Scope, next: Continue): void {
  (base[node.type] as (node: AnyNode, scope: Scope, next: Continue) => void)(node, scope.owner.open(node, scope), next);
}

function visitForEach(node: NodeOf<"ForInStatement" | "ForOfStatement">, scope: Scope, next: Continue): void {
  const inner = scope.owner.open(node, scope);
  if (node.left.type === "VariableDeclaration") next(node.left, inner);
  else assignPattern(node.left, inner, next);
  next(node.right, inner);
  next(node.body, inner);
}

function declarePattern(
  pattern: Pattern,
  { scope, kind }: { scope: Scope; kind: Binding["kind"] },
  next: Continue,
): void {
  eachBoundName(
    pattern,
    (name) => scope.owner.declare(scope, name, { kind }),
    (inner) => next(inner, scope),
  );
}

function assignPattern(pattern: AnyNode, scope: Scope, next: Continue): void {
  eachBoundName(
    pattern as Pattern,
    (name) => scope.owner.write(scope, name),
    (inner) => {
      if (inner.type === "MemberExpression") scope.owner.mutate(scope, inner, inner.start);
      next(inner, scope);
    },
  );
}
