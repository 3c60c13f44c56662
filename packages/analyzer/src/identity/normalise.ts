import type { AnyNode, AssignmentProperty, Identifier, MemberExpression, Program, Property } from "acorn";

import type { Machine } from "../evaluate/machine.js";
import type { Binding } from "../parse/scope.js";
import { isMovable } from "./movable.js";
import { schedule } from "./schedule.js";

/** Fields that say where or how something is written, not what it is. */
const LAYOUT = new Set(["type", "start", "end", "raw", "directive", "sourceType", "shorthand"]);

/** Code as it reads with and without the values of lifted literals. */
export interface Normalised {
  readonly text: string;
  readonly blanked: string;
}

/**
 * Spells code so that what means the same reads the same: no layout, names by their order, statements that may change
 * places in an order of their own.
 */
export function normalise(program: Program, machine: Machine, lifted: ReadonlySet<AnyNode>): Normalised {
  const whole = new Normaliser(machine, lifted);
  const text = whole.spell(program);
  if (lifted.size === 0) return { text, blanked: text };
  // What stands in order of its text may stand otherwise once the values are gone.
  return { text, blanked: whole.hasReordered ? new Normaliser(machine, lifted, "?").spell(program) : whole.blanked() };
}

class Normaliser {
  readonly #machine: Machine;
  readonly #lifted: ReadonlySet<AnyNode>;
  readonly #blank: string | undefined;
  /** Where in the text the lifted literals stand. */
  readonly #ranges: [from: number, to: number][] = [];
  readonly #names = new Map<Binding, number>();
  readonly #order: Binding[] = [];
  readonly #text: string[] = [];
  hasReordered = false;

  constructor(machine: Machine, lifted: ReadonlySet<AnyNode>, blank?: string) {
    this.#machine = machine;
    this.#lifted = lifted;
    this.#blank = blank;
  }

  spell(program: Program): string {
    this.#statements(program.body);
    return this.#text.join("");
  }

  blanked(): string {
    const text = [...this.#text];
    for (const [from, to] of this.#ranges) text.fill("", from, to)[from] = "?";
    return text.join("");
  }

  #node(node: AnyNode): void {
    if (!this.#lifted.has(node)) return this.#plain(node);
    if (this.#blank !== undefined) return void this.#text.push(this.#blank);
    const from = this.#text.length;
    this.#plain(node);
    this.#ranges.push([from, this.#text.length]);
  }

  #plain(node: AnyNode): void {
    if (node.type === "Identifier") this.#text.push(this.#nameOf(node));
    else if (node.type === "Literal") this.#text.push(spellLiteral(node));
    else if (node.type === "MemberExpression") this.#member(node);
    else if (node.type === "Property") this.#property(node);
    else if (node.type === "BlockStatement" || node.type === "StaticBlock") this.#statements(node.body);
    else this.#fields(node);
  }

  #fields(node: AnyNode): void {
    this.#text.push("(", node.type, " ");
    for (const key of fieldsOf(node)) this.#field(node[key]);
    this.#text.push(")");
  }

  #field(value: unknown): void {
    if (Array.isArray(value)) {
      this.#text.push("[");
      for (const each of value) this.#field(each);
      this.#text.push("]");
    } else if (value !== null && typeof value === "object" && "type" in value) this.#node(value as AnyNode);
    else this.#text.push(`${spellScalar(value)},`);
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
    this.hasReordered = true;
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

/** Nodes of one type have the same fields. */
const FIELDS = new Map<string, readonly (keyof AnyNode)[]>();

function fieldsOf(node: AnyNode): readonly (keyof AnyNode)[] {
  let fields = FIELDS.get(node.type);
  if (!fields) {
    fields = (Object.keys(node) as (keyof AnyNode)[]).filter((key) => !LAYOUT.has(key));
    FIELDS.set(node.type, fields);
  }
  return fields;
}

function spellScalar(value: unknown): string {
  return typeof value === "string"
    ? JSON.stringify(value)
    : typeof value === "object"
      ? spellRaw(value)
      : String(value);
}

/** The text of a template, as it is and as it is meant. */
function spellRaw(value: object | null): string {
  return value === null ? "-" : JSON.stringify((value as { cooked?: unknown }).cooked ?? value);
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
