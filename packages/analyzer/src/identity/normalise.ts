import type {
  AnyNode,
  AssignmentProperty,
  Identifier,
  MemberExpression,
  Program,
  Property,
  TaggedTemplateExpression,
} from "acorn";

import type { Machine } from "../evaluate/machine.js";
import type { Binding } from "../parse/scope.js";
import { isMovable } from "./movable.js";
import { schedule } from "./schedule.js";

/** Fields that say where or how something is written, not what it is. */
const LAYOUT = new Set(["type", "start", "end", "raw", "directive", "sourceType", "shorthand"]);

/** Code as it reads without the values of lifted literals, and these values. */
export interface Normalised {
  readonly text: string;
  readonly values: string;
  /** The same text, with what may change places in an order that does not depend on the values. */
  readonly shape: string;
}

/**
 * Spells code so that what means the same reads the same: no layout, names by their order, statements that may change
 * places in an order of their own.
 */
export function normalise(program: Program, machine: Machine, lifted: ReadonlySet<AnyNode>): Normalised {
  const whole = new Normaliser(machine, lifted);
  whole.spell(program);
  const text = whole.text();
  const isSettled = lifted.size === 0 || !whole.hasReordered;
  return {
    text,
    values: whole.values(),
    shape: isSettled ? text : new Normaliser(machine, lifted, true).spell(program).text(),
  };
}

class Normaliser {
  readonly #machine: Machine;
  readonly #lifted: ReadonlySet<AnyNode>;
  readonly #isBlind: boolean;
  readonly #names = new Map<Binding, number>();
  readonly #order: Binding[] = [];
  /** Where in the text the lifted literals stand. */
  readonly #ranges: [from: number, to: number][] = [];
  #text = "";
  hasReordered = false;

  /** `isBlind`: the values do not count for the order either. */
  constructor(machine: Machine, lifted: ReadonlySet<AnyNode>, isBlind = false) {
    this.#machine = machine;
    this.#lifted = lifted;
    this.#isBlind = isBlind;
  }

  spell(program: Program): this {
    this.#statements(program.body);
    return this;
  }

  text(): string {
    let text = "";
    let at = 0;
    for (const [from, to] of this.#ranges) {
      text += `${this.#text.slice(at, from)}?`;
      at = to;
    }
    return text + this.#text.slice(at);
  }

  values(): string {
    return this.#ranges.map(([from, to]) => this.#text.slice(from, to)).join();
  }

  #node(node: AnyNode): void {
    if (this.#lifted.size === 0 || !this.#lifted.has(node)) return this.#plain(node);
    const from = this.#text.length;
    if (this.#isBlind) this.#text += "?";
    else {
      this.#plain(node);
      this.#ranges.push([from, this.#text.length]);
    }
  }

  #plain(node: AnyNode): void {
    if (node.type === "Identifier") this.#text += this.#nameOf(node);
    else if (node.type === "Literal") this.#text += spellLiteral(node);
    else if (node.type === "MemberExpression") this.#member(node);
    else if (node.type === "Property") this.#property(node);
    else if (node.type === "TaggedTemplateExpression") this.#tagged(node);
    else if (node.type === "BlockStatement" || node.type === "StaticBlock") this.#statements(node.body);
    else this.#fields(node);
  }

  #fields(node: AnyNode): void {
    const { code, fields } = typeOf(node);
    this.#text += code;
    for (const key of fields) {
      const value: unknown = node[key];
      if (isLoneStatement(key, value)) this.#statements([value]);
      else this.#field(value);
    }
    this.#text += ")";
  }

  #field(value: unknown): void {
    if (Array.isArray(value)) {
      this.#text += "[";
      for (const each of value) this.#field(each);
      this.#text += "]";
    } else if (value !== null && typeof value === "object" && "type" in value) this.#node(value as AnyNode);
    else this.#text += `${spellScalar(value)},`;
  }

  #member(node: MemberExpression): void {
    this.#text += node.optional ? "(?." : "(.";
    this.#node(node.object as AnyNode);
    this.#key(node.property as AnyNode, node.computed);
    this.#text += ")";
  }

  /** A tag sees the text as it is written. */
  #tagged({ tag, quasi }: TaggedTemplateExpression): void {
    this.#text += `(tag${JSON.stringify(quasi.quasis.map(({ value }) => value.raw))}`;
    this.#node(tag);
    for (const expression of quasi.expressions) this.#node(expression);
    this.#text += ")";
  }

  #property(node: Property | AssignmentProperty): void {
    const setsPrototype = !node.computed && !node.shorthand && !node.method && isNamed(node.key, "__proto__");
    this.#text += `(${setsPrototype ? "proto" : node.kind}${node.method ? "!" : ":"}`;
    this.#key(node.key, node.computed);
    this.#node(node.value);
    this.#text += ")";
  }

  /** `a.b`, `a["b"]`, `{ b: … }` and `{ "b": … }` name the same property. */
  #key(key: AnyNode, computed: boolean): void {
    if (!computed && key.type === "Identifier") this.#text += `"${key.name}":`;
    else if (key.type === "Literal" && typeof key.value === "string") this.#text += `${JSON.stringify(key.value)}:`;
    else this.#node(key);
  }

  #statements(statements: readonly AnyNode[]): void {
    this.#text += "{";
    for (let at = 0; at < statements.length;) {
      const from = at;
      while (at < statements.length && isMovable(this.#machine, statements[at] as AnyNode)) at++;
      if (at - from > 1) this.#run(statements.slice(from, at));
      else {
        at = from + 1;
        this.#statement(statements[from] as AnyNode);
      }
    }
    this.#text += "}";
  }

  #statement(node: AnyNode): void {
    if (node.type !== "EmptyStatement") this.#node(node);
  }

  #run(statements: readonly AnyNode[]): void {
    this.hasReordered = true;
    schedule(statements, {
      scopes: this.#machine.scopes,
      keyOf: (statement) => this.#trial(statement),
      emit: (statement) => this.#node(statement),
    });
  }

  /** How a statement would read here, with the names that are new in it counted from one. */
  #trial(statement: AnyNode): string {
    const before = this.#text;
    const known = this.#order.length;
    const ranges = this.#ranges.length;
    this.#text = "";
    this.#node(statement);
    const text = this.#text.replaceAll(/#(\d+)/g, (name, number) =>
      Number(number) < known ? name : `@${Number(number) - known}`,
    );
    this.#text = before;
    this.#ranges.length = ranges;
    for (const binding of this.#order.splice(known)) this.#names.delete(binding);
    return text;
  }

  #nameOf(identifier: Identifier): string {
    const binding = this.#machine.scopes.bindingOf(identifier);
    if (!binding) return identifier.name === "context" ? "$args " : `$${identifier.name} `;
    let number = this.#names.get(binding);
    if (number === undefined) {
      number = this.#order.push(binding) - 1;
      this.#names.set(binding, number);
    }
    return `#${number} `;
  }
}

function isNamed(key: AnyNode, name: string): boolean {
  return (key.type === "Identifier" && key.name === name) || (key.type === "Literal" && key.value === name);
}

/** `if (a) b()` is `if (a) { b() }`. */
function isLoneStatement(key: string, value: unknown): value is AnyNode {
  if (key !== "body" && key !== "consequent" && key !== "alternate") return false;
  const { type = "" } = (value ?? {}) as Partial<AnyNode>;
  return type.endsWith("Statement") && type !== "BlockStatement";
}

interface Type {
  readonly code: string;
  readonly fields: readonly (keyof AnyNode)[];
}

/** Nodes of one type have the same fields. Numbers stand for the usual types: else most of the text would be names. */
const TYPES = new Map<string, Type>();
const CODES = new Map(
  `ArrayExpression ArrayPattern ArrowFunctionExpression AssignmentExpression AssignmentPattern AwaitExpression
  BinaryExpression BreakStatement CallExpression CatchClause ChainExpression ClassBody ConditionalExpression
  ContinueStatement ExpressionStatement ForOfStatement ForStatement FunctionDeclaration FunctionExpression IfStatement
  LogicalExpression NewExpression ObjectExpression ObjectPattern RestElement ReturnStatement SpreadElement SwitchCase
  SwitchStatement TemplateElement TemplateLiteral ThrowStatement TryStatement UnaryExpression UpdateExpression
  VariableDeclaration VariableDeclarator WhileStatement`
    .split(/\s+/)
    .map((type, index) => [type, `(${index} `]),
);

function typeOf(node: AnyNode): Type {
  let type = TYPES.get(node.type);
  if (!type) {
    const fields = (Object.keys(node) as (keyof AnyNode)[]).filter((key) => !LAYOUT.has(key));
    type = { code: CODES.get(node.type) ?? `(${node.type} `, fields };
    TYPES.set(node.type, type);
  }
  return type;
}

function spellScalar(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" ? spellRaw(value) : String(value);
}

/** The text of a template, as it is and as it is meant. */
function spellRaw(value: object | null): string {
  return value === null ? "-" : JSON.stringify((value as { cooked?: unknown }).cooked ?? value);
}

function spellLiteral(node: AnyNode & { type: "Literal" }): string {
  if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  if (node.bigint) return `${node.bigint}n`;
  return typeof node.value === "number" ? `${node.value} ` : JSON.stringify(node.value);
}
