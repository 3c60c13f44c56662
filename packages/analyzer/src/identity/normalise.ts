import type { AnyNode, AssignmentProperty, Identifier, MemberExpression, Program, Property } from "acorn";

import type { Machine } from "../evaluate/machine.js";
import type { Binding } from "../parse/scope.js";
import { isMovable } from "./movable.js";
import { schedule } from "./schedule.js";

/** Fields that say where or how something is written, not what it is. */
const LAYOUT = new Set(["type", "start", "end", "raw", "directive", "sourceType", "shorthand", "optional"]);

/**
 * Spells code so that what means the same reads the same: no layout, names by their order, statements that may change
 * places in an order of their own. `blanks` are nodes whose value is left out.
 */
export class Normaliser {
  readonly #machine: Machine;
  readonly #blanks: ReadonlySet<AnyNode>;
  readonly #names = new Map<Binding, number>();
  readonly #order: Binding[] = [];
  readonly #text: string[] = [];

  constructor(machine: Machine, blanks: ReadonlySet<AnyNode>) {
    this.#machine = machine;
    this.#blanks = blanks;
  }

  normalise(program: Program): string {
    this.#statements(program.body);
    return this.#text.join("");
  }

  #node(node: AnyNode): void {
    if (this.#blanks.has(node)) this.#text.push("?");
    else if (node.type === "Identifier") this.#text.push(this.#nameOf(node));
    else if (node.type === "Literal") this.#text.push(spellLiteral(node));
    else if (node.type === "MemberExpression") this.#member(node);
    else if (node.type === "Property") this.#property(node);
    else if (node.type === "BlockStatement" || node.type === "StaticBlock") this.#statements(node.body);
    else this.#fields(node);
  }

  #fields(node: AnyNode): void {
    this.#text.push("(", node.type);
    for (const key in node) {
      if (!LAYOUT.has(key) || (key === "optional" && node[key as keyof AnyNode])) {
        this.#text.push(" ");
        this.#field(node[key as keyof AnyNode]);
      }
    }
    this.#text.push(")");
  }

  #field(value: unknown): void {
    if (Array.isArray(value)) {
      this.#text.push("[");
      for (const each of value) this.#field(each);
      this.#text.push("]");
    } else if (value !== null && typeof value === "object" && "type" in value) this.#node(value as AnyNode);
    else this.#text.push(JSON.stringify(value) ?? "-", ",");
  }

  #member(node: MemberExpression): void {
    this.#text.push(node.optional ? "(?." : "(.");
    this.#node(node.object as AnyNode);
    this.#key(node.property as AnyNode, node.computed);
    this.#text.push(")");
  }

  #property(node: Property | AssignmentProperty): void {
    this.#text.push("(", node.kind, node.method ? "!" : ":");
    this.#key(node.key, node.computed);
    this.#node(node.value);
    this.#text.push(")");
  }

  /** `a.b`, `a["b"]`, `{ b: … }` and `{ "b": … }` name the same property. */
  #key(key: AnyNode, computed: boolean): void {
    if (!computed && key.type === "Identifier") this.#text.push(JSON.stringify(key.name), ":");
    else if (key.type === "Literal" && typeof key.value === "string") this.#text.push(JSON.stringify(key.value), ":");
    else this.#node(key);
  }

  #statements(statements: readonly AnyNode[]): void {
    this.#text.push("{");
    for (let at = 0; at < statements.length;) {
      const from = at;
      while (at < statements.length && isMovable(this.#machine, statements[at] as AnyNode)) at++;
      if (at - from > 1) this.#run(statements.slice(from, at));
      else {
        at = from + 1;
        this.#statement(statements[from] as AnyNode);
      }
    }
    this.#text.push("}");
  }

  #statement(node: AnyNode): void {
    if (node.type !== "EmptyStatement") this.#node(node);
  }

  #run(statements: readonly AnyNode[]): void {
    schedule(statements, {
      scopes: this.#machine.scopes,
      keyOf: (statement) => this.#trial(statement),
      emit: (statement) => this.#node(statement),
    });
  }

  /** How a statement would read here, with the names that are new in it counted from one. */
  #trial(statement: AnyNode): string {
    const { length } = this.#text;
    const known = this.#order.length;
    this.#node(statement);
    const text = this.#text.splice(length).map((part) => relative(part, known));
    for (const binding of this.#order.splice(known)) this.#names.delete(binding);
    return text.join("");
  }

  #nameOf(identifier: Identifier): string {
    const binding = this.#machine.scopes.bindingOf(identifier);
    if (!binding) return `$${identifier.name}`;
    let number = this.#names.get(binding);
    if (number === undefined) {
      number = this.#order.push(binding) - 1;
      this.#names.set(binding, number);
    }
    return `#${number}`;
  }
}

function relative(part: string, known: number): string {
  const number = part.startsWith("#") ? Number(part.slice(1)) - known : -1;
  return number < 0 ? part : `@${number}`;
}

function spellLiteral(node: AnyNode & { type: "Literal" }): string {
  if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  if (node.bigint) return `${node.bigint}n`;
  return JSON.stringify(node.value);
}
