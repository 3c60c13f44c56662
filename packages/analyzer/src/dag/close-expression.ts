import { type AnyNode, type Identifier, type MemberExpression, parseExpressionAt, type Program } from "acorn";
import { fullAncestor } from "acorn-walk";
import { generate } from "astring";

import { readScopes } from "../parse/read-scopes.js";
import type { Scopes } from "../parse/scope.js";
import { Edits } from "../rewrite/edits.js";
import type { Arguments, ArgumentValue, Path } from "../structure.js";
import { type DagValue, isFrom, isParam } from "./dag.js";

/** An expression over `$1`, `$2`, … and what these stand for. */
export interface ClosedExpression {
  readonly code: string;
  readonly arguments: Readonly<Record<string, DagValue>>;
}

/** Gives a result or an input at a path; throws when it cannot be said. */
export type Resolve = (value: ArgumentValue, path: Path) => DagValue;

/** Constants made of constants could grow without end. */
const LONGEST_CODE = 10_000;

/**
 * Writes an expression so that its text depends on what it computes, not on the names around it: each result or input
 * that it takes, down to the property it names, becomes a numbered name, and constants are written out. Undefined when
 * it would be too long.
 */
export function closeExpression(standalone: string, names: Arguments, resolve: Resolve): ClosedExpression | undefined {
  const rough = new Numbering();
  const code = expand(standalone, names, (value, path) => rough.nameOf(resolve(value, path)));
  if (code === undefined) return undefined;
  // With constants written out, a key may have become known: `$1["a"]` is a part of `$1` after all.
  const { source, scopes, chains } = read(spell(code));
  const fine = new Numbering();
  const edits = new Edits();
  for (const name of scopes.free) {
    const value = rough.valueOf(name.name);
    if (value === undefined) continue;
    const { node, path } = chains.get(name) ?? { node: name, path: [] };
    const prefix = scopes.isShorthand(name) ? `${name.name}: ` : "";
    edits.replace(node, prefix + fine.nameOf(partOf(value, path)));
  }
  return { code: spell(edits.apply(source)), arguments: fine.values() };
}

/** Gives out `$1`, `$2`, …, the same for the same value. */
class Numbering {
  readonly #given = new Map<string, { name: string; value: DagValue }>();

  nameOf(value: DagValue): string {
    const key = JSON.stringify(value);
    const known = this.#given.get(key) ?? { name: `$${this.#given.size + 1}`, value };
    this.#given.set(key, known);
    return known.name;
  }

  valueOf(name: string): DagValue | undefined {
    return [...this.#given.values()].find((each) => each.name === name)?.value;
  }

  values(): Record<string, DagValue> {
    return Object.fromEntries([...this.#given.values()].map(({ name, value }) => [name, value]));
  }
}

function partOf(value: DagValue, path: Path): DagValue {
  const isPlace = isFrom(value) || isParam(value);
  return isPlace && path.length > 0 ? { ...value, path: [...(value.path ?? []), ...path] } : value;
}

/** One spelling for the same expression: no comments, one layout, no parentheses that change nothing. */
function spell(code: string): string {
  return generate(read(code).expression, { indent: "", lineEnd: " " });
}

/** Free names of an expression, for whoever writes it back into code. */
export function replaceNames(code: string, textOf: (name: string) => string | undefined): string {
  const { source, scopes } = read(spell(code));
  const edits = new Edits();
  for (const name of scopes.free) {
    const text = textOf(name.name);
    if (text !== undefined) edits.replace(name, scopes.isShorthand(name) ? `${name.name}: ${text}` : text);
  }
  return edits.apply(source);
}

/** Names that an expression takes from around it. Throws when the text is not an expression. */
export function freeNames(code: string): string[] {
  return read(code).scopes.free.map(({ name }) => name);
}

function expand(
  text: string,
  names: Arguments,
  nameOf: (value: ArgumentValue, path: Path) => string,
): string | undefined {
  const { source, scopes, chains } = read(text);
  const edits = new Edits();
  for (const name of scopes.free) {
    const value = Object.hasOwn(names, name.name) ? names[name.name] : undefined;
    if (!value) continue;
    const chain = chains.get(name) ?? { node: name, path: [] };
    const isPlace = value.type === "reference" || value.type === "parameter";
    const spelt = isPlace ? nameOf(value, chain.path) : constant(value, nameOf);
    if (spelt === undefined) return undefined;
    const prefix = scopes.isShorthand(name) ? `${name.name}: ` : "";
    edits.replace(isPlace ? chain.node : name, prefix + spelt);
  }
  const code = edits.apply(source);
  return code.length > LONGEST_CODE ? undefined : code;
}

function constant(value: ArgumentValue, nameOf: (value: ArgumentValue, path: Path) => string): string | undefined {
  if (value.type === "literal") return `(${JSON.stringify(value.value)})`;
  if (value.type !== "expression" || value.standalone === undefined) return undefined;
  const inner = expand(value.standalone, value.arguments ?? {}, nameOf);
  return inner === undefined ? undefined : `(${inner})`;
}

interface Chain {
  readonly node: AnyNode;
  readonly path: Path;
}

interface Expression {
  readonly source: string;
  readonly expression: AnyNode;
  readonly scopes: Scopes;
  readonly chains: ReadonlyMap<Identifier, Chain>;
}

/** Throws unless the text is one expression and nothing else. */
function read(code: string): Expression {
  const expression = parseExpressionAt(code, 0, {
    ecmaVersion: 2024,
    sourceType: "module",
    allowAwaitOutsideFunction: true,
  });
  if (!isWhole(code, expression)) throw new SyntaxError("This is more than an expression.");
  const statement = { type: "ExpressionStatement", start: expression.start, end: expression.end, expression };
  const program = { type: "Program", start: 0, end: code.length, body: [statement], sourceType: "module" } as Program;
  const chains = new Map<Identifier, Chain>();
  fullAncestor(program, (node, _state, ancestors) => {
    if (node.type === "Identifier") chains.set(node as Identifier, chainOf(ancestors as AnyNode[]));
  });
  return { source: code, expression, scopes: readScopes(program), chains };
}

/** Nothing but space, comments and parentheses around it, as many on both sides. */
function isWhole(code: string, { start, end }: AnyNode): boolean {
  const around = [code.slice(0, start), code.slice(end)].map((text) =>
    text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|\s/g, ""),
  );
  const [before = "", after = ""] = around;
  return /^\(*$/.test(before) && /^\)*$/.test(after) && before.length === after.length;
}

/** The longest `name.a.b[0]` around a name that is read as a value. */
function chainOf(ancestors: readonly AnyNode[]): Chain {
  const path: (string | number)[] = [];
  let at = ancestors.length - 1;
  for (; at > 0; at--) {
    const [node, parent, above] = [ancestors[at], ancestors[at - 1], ancestors[at - 2]] as [AnyNode, AnyNode, AnyNode?];
    const key = parent.type === "MemberExpression" && parent.object === node ? staticKey(parent) : undefined;
    const isCallee = above?.type === "CallExpression" && above.callee === parent;
    if (key === undefined || isCallee || above?.type === "UpdateExpression" || above?.type === "AssignmentExpression")
      break;
    path.push(key);
  }
  return { node: ancestors[at] as AnyNode, path };
}

function staticKey({ computed, optional, property }: MemberExpression): string | number | undefined {
  if (optional) return undefined;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  if (property.type !== "Literal") return undefined;
  return typeof property.value === "string" || typeof property.value === "number" ? property.value : undefined;
}
