import type {
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
  Pattern,
  Program,
} from "acorn";
import { base, recursive } from "acorn-walk";

import { eachBoundName } from "./patterns.js";
import { lastAtMost } from "./source-text.js";

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

type CallNode = AnyNode & { type: "CallExpression" | "NewExpression" | "AwaitExpression" };

export interface Binding {
  readonly name: string;
  readonly kind: "var" | "let" | "const" | "function" | "class" | "param" | "catch";
  readonly at: number;
  /** Set for function declarations: they are callable before the line that declares them. */
  readonly declared?: FunctionNode;
  /** Something is stored into it in place: `x.y = …`, `x.push(…)`, `delete x.y`. */
  mutated: boolean;
  /** Assigned again after its declaration. */
  reassigned: boolean;
}

interface Scope {
  readonly parent: Scope | undefined;
  readonly range: { readonly start: number; readonly end: number };
  /** Where `var` lands: a function or the program. */
  readonly isFunction: boolean;
  readonly names: Map<string, Binding>;
}

export interface Write {
  readonly at: number;
  readonly binding: Binding;
}

/** Which name means what, everywhere in the code. */
export class Scopes {
  readonly #bindings = new Map<Identifier, Binding>();
  readonly #all: Scope[] = [];
  readonly #references: { identifier: Identifier; scope: Scope }[] = [];
  readonly #writes: { identifier: Identifier; scope: Scope }[] = [];
  readonly #mutations: { identifier: Identifier; scope: Scope; at: number }[] = [];
  readonly #calls: CallNode[] = [];
  #callStarts: number[] = [];
  readonly #shorthand = new Set<Identifier>();
  #referenceStarts: number[] = [];
  #writeList: Write[] = [];
  #writeStarts: number[] = [];
  #byPosition: Binding[] | undefined;
  #positions: number[] | undefined;
  readonly free: Identifier[] = [];
  /** Assignments to names that nothing declares. */
  readonly undeclaredWrites: Identifier[] = [];
  readonly mutationOffsets: number[] = [];

  constructor(program: Program) {
    const top = this.open(program, undefined, true);
    recursive(program, top, visitors(this));
    this.#resolve();
  }

  bindingOf(identifier: Identifier): Binding | undefined {
    return this.#bindings.get(identifier);
  }

  isShorthand(identifier: Identifier): boolean {
    return this.#shorthand.has(identifier);
  }

  /** References inside a range, in source order. */
  referencesIn({ start, end }: { start: number; end: number }): Identifier[] {
    const found: Identifier[] = [];
    for (let i = lastAtMost(this.#referenceStarts, start - 1) + 1; i < this.#references.length; i++) {
      const { identifier } = this.#references[i] as { identifier: Identifier };
      if (identifier.start >= end) break;
      found.push(identifier);
    }
    return found;
  }

  writesIn({ start, end }: { start: number; end: number }): Write[] {
    const from = lastAtMost(this.#writeStarts, start - 1) + 1;
    return this.#writeList.slice(from, lastAtMost(this.#writeStarts, end - 1) + 1);
  }

  /** Calls and awaits inside a range, in source order, outer before inner. */
  callsIn({ start, end }: { start: number; end: number }): CallNode[] {
    const from = lastAtMost(this.#callStarts, start - 1) + 1;
    return this.#calls.slice(from, lastAtMost(this.#callStarts, end - 1) + 1);
  }

  /** Bindings whose declaration stands inside a range. */
  declaredIn({ start, end }: { start: number; end: number }): Binding[] {
    this.#byPosition ??= this.declared().sort((a, b) => a.at - b.at);
    const positions = (this.#positions ??= this.#byPosition.map(({ at }) => at));
    return this.#byPosition.slice(lastAtMost(positions, start - 1) + 1, lastAtMost(positions, end - 1) + 1);
  }

  /** Everything that the code declares. */
  declared(): Binding[] {
    return this.#all.flatMap(({ names }) => [...names.values()]);
  }

  isShadowed(name: string, at: number): boolean {
    return this.#all.some(({ names, range }) => names.has(name) && range.start <= at && at < range.end);
  }

  open(range: { start: number; end: number }, parent: Scope | undefined, isFunction = false): Scope {
    const scope: Scope = { parent, range, isFunction, names: new Map() };
    this.#all.push(scope);
    return scope;
  }

  declare(scope: Scope, identifier: Identifier, kind: Binding["kind"], declared?: FunctionNode): void {
    const target = kind === "var" ? functionScope(scope) : scope;
    let binding = target.names.get(identifier.name);
    if (!binding) {
      const { name, start: at } = identifier;
      binding = { name, kind, at, mutated: false, reassigned: false, ...(declared && { declared }) };
      target.names.set(identifier.name, binding);
    }
    this.#bindings.set(identifier, binding);
  }

  refer(scope: Scope, identifier: Identifier): void {
    this.#references.push({ identifier, scope });
  }

  write(scope: Scope, identifier: Identifier): void {
    this.#writes.push({ identifier, scope });
  }

  mutate(scope: Scope, target: AnyNode, at: number): void {
    this.mutationOffsets.push(at);
    let root = target;
    while (root.type === "MemberExpression") root = root.object;
    if (root.type === "Identifier") this.#mutations.push({ identifier: root, scope, at });
  }

  call(node: CallNode): void {
    this.#calls.push(node);
  }

  shorthand(identifier: Identifier): void {
    this.#shorthand.add(identifier);
  }

  #resolve(): void {
    for (const { identifier, scope } of this.#references) {
      const binding = find(scope, identifier.name);
      if (binding) this.#bindings.set(identifier, binding);
      else this.free.push(identifier);
    }
    for (const { identifier, scope } of this.#writes) {
      const binding = find(scope, identifier.name);
      if (!binding) {
        this.undeclaredWrites.push(identifier);
        continue;
      }
      binding.reassigned = true;
      this.#bindings.set(identifier, binding);
      this.#writeList.push({ at: identifier.start, binding });
    }
    for (const { identifier, scope, at } of this.#mutations) {
      const binding = find(scope, identifier.name);
      if (!binding) continue;
      binding.mutated = true;
      this.#writeList.push({ at, binding });
    }
    this.#references.sort((a, b) => a.identifier.start - b.identifier.start);
    this.#referenceStarts = this.#references.map(({ identifier }) => identifier.start);
    this.#writeList.sort((a, b) => a.at - b.at);
    this.#writeStarts = this.#writeList.map(({ at }) => at);
    this.#calls.sort((a, b) => a.start - b.start || b.end - a.end);
    this.#callStarts = this.#calls.map(({ start }) => start);
  }
}

function find(scope: Scope | undefined, name: string): Binding | undefined {
  for (let at = scope; at; at = at.parent) {
    const binding = at.names.get(name);
    if (binding) return binding;
  }
  return undefined;
}

function functionScope(scope: Scope): Scope {
  let at = scope;
  while (!at.isFunction && at.parent) at = at.parent;
  return at;
}

const CHANGES_RECEIVER = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin set add delete clear append".split(" "),
);

/** Whether a method of this name changes what it is called on. */
export function changesReceiver(method: string): boolean {
  return CHANGES_RECEIVER.has(method);
}

type Continue = (node: AnyNode, scope: Scope, override?: string) => void;

function visitors(scopes: Scopes): Record<string, (node: never, scope: Scope, next: Continue) => void> {
  const inScope = (node: AnyNode, scope: Scope, next: Continue): void => {
    (base[node.type] as (node: AnyNode, scope: Scope, next: Continue) => void)(node, scopes.open(node, scope), next);
  };
  const declarePattern = (pattern: Pattern, scope: Scope, kind: Binding["kind"], next: Continue): void => {
    eachBoundName(
      pattern,
      (name) => scopes.declare(scope, name, kind),
      (inner) => next(inner, scope, "Expression"),
    );
  };
  const assignPattern = (pattern: AnyNode, scope: Scope, next: Continue): void => {
    if (pattern.type === "MemberExpression") {
      scopes.mutate(scope, pattern, pattern.start);
      next(pattern, scope, "Expression");
      return;
    }
    eachBoundName(
      pattern as Pattern,
      (name) => scopes.write(scope, name),
      (inner) => {
        if (inner.type === "MemberExpression") scopes.mutate(scope, inner, inner.start);
        next(inner, scope, "Expression");
      },
    );
  };
  return {
    Identifier: (node: Identifier, scope) => scopes.refer(scope, node),
    Function(node: FunctionNode, scope, next) {
      if (node.type === "FunctionDeclaration") scopes.declare(scope, node.id, "function", node);
      const inner = scopes.open(node, scope, true);
      if (node.type === "FunctionExpression" && node.id) scopes.declare(inner, node.id, "function", node);
      for (const param of node.params) declarePattern(param, inner, "param", next);
      if (node.body.type !== "BlockStatement") next(node.body, inner, "Expression");
      else for (const statement of node.body.body) next(statement, inner, "Statement");
    },
    BlockStatement: inScope,
    StaticBlock: inScope,
    SwitchStatement: inScope,
    ForStatement: inScope,
    ForInStatement: (node: AnyNode & { type: "ForInStatement" }, scope, next) => forEach(node, scope, next),
    ForOfStatement: (node: AnyNode & { type: "ForOfStatement" }, scope, next) => forEach(node, scope, next),
    CatchClause(node: AnyNode & { type: "CatchClause" }, scope, next) {
      const inner = scopes.open(node, scope);
      if (node.param) declarePattern(node.param, inner, "catch", next);
      next(node.body, inner, "Statement");
    },
    VariableDeclaration(node: AnyNode & { type: "VariableDeclaration" }, scope, next) {
      for (const { id, init } of node.declarations) {
        declarePattern(id, scope, node.kind as Binding["kind"], next);
        if (init) next(init, scope, "Expression");
      }
    },
    Class(node: AnyNode & { type: "ClassDeclaration" | "ClassExpression" }, scope, next) {
      if (node.type === "ClassDeclaration" && node.id) scopes.declare(scope, node.id, "class");
      const inner = scopes.open(node, scope);
      if (node.type === "ClassExpression" && node.id) scopes.declare(inner, node.id, "class");
      if (node.superClass) next(node.superClass, inner, "Expression");
      next(node.body, inner);
    },
    AssignmentExpression(node: AnyNode & { type: "AssignmentExpression" }, scope, next) {
      assignPattern(node.left, scope, next);
      if (node.operator !== "=" && node.left.type === "Identifier") scopes.refer(scope, node.left);
      next(node.right, scope, "Expression");
    },
    UpdateExpression(node: AnyNode & { type: "UpdateExpression" }, scope, next) {
      assignPattern(node.argument, scope, next);
      if (node.argument.type === "Identifier") scopes.refer(scope, node.argument);
    },
    UnaryExpression(node: AnyNode & { type: "UnaryExpression" }, scope, next) {
      if (node.operator === "delete") scopes.mutate(scope, node.argument, node.start);
      next(node.argument, scope, "Expression");
    },
    Property(node: AnyNode & { type: "Property" }, scope, next) {
      if (node.shorthand && node.value.type === "Identifier") scopes.shorthand(node.value);
      if (node.computed) next(node.key, scope, "Expression");
      next(node.value, scope, "Expression");
    },
    CallExpression(node: AnyNode & { type: "CallExpression" }, scope, next) {
      scopes.call(node);
      const { callee } = node;
      const method =
        callee.type === "MemberExpression" && callee.property.type === "Identifier" ? callee.property.name : "";
      if (callee.type === "MemberExpression" && changesReceiver(method))
        scopes.mutate(scope, callee.object, node.start);
      const [first] = node.arguments;
      if (method === "assign" && first && first.type !== "ObjectExpression") scopes.mutate(scope, first, node.start);
      base["CallExpression"]?.(node, scope, next);
    },
    AwaitExpression(node: AnyNode & { type: "AwaitExpression" }, scope, next) {
      scopes.call(node);
      next(node.argument, scope, "Expression");
    },
    NewExpression(node: AnyNode & { type: "NewExpression" }, scope, next) {
      scopes.call(node);
      base["NewExpression"]?.(node, scope, next);
    },
  };

  function forEach(node: AnyNode & { type: "ForInStatement" | "ForOfStatement" }, scope: Scope, next: Continue): void {
    const inner = scopes.open(node, scope);
    if (node.left.type === "VariableDeclaration") next(node.left, inner);
    else assignPattern(node.left, inner, next);
    next(node.right, inner, "Expression");
    next(node.body, inner, "Statement");
  }
}
