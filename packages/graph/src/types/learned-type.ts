/**
 * What is known of a tool's results from having seen some. The types form a lattice under `mergeTypes`: `never` is
 * nothing seen yet, `any` is no longer worth telling apart.
 */
export type LearnedType =
  | { readonly kind: "never" | "any" | "null" | "boolean" | "integer" | "number" | "string" }
  | { readonly kind: "array"; readonly items: LearnedType }
  | { readonly kind: "object"; readonly fields: readonly LearnedField[] }
  | { readonly kind: "union"; readonly of: readonly LearnedType[] };

/** A list instead of a record, so that a field may be called `__proto__`. Sorted by name. */
export interface LearnedField {
  readonly name: string;
  readonly type: LearnedType;
  /** Some of the results did not have it. */
  readonly optional: boolean;
  /** The code that got the result read it. */
  readonly used?: true;
}

const DEEPEST = 6;
const MOST_FIELDS = 100;
const MOST_ITEMS = 50;
const PRIMITIVES = new Set(["never", "any", "null", "boolean", "integer", "number", "string"]);

export const NEVER: LearnedType = { kind: "never" };
export const ANY: LearnedType = { kind: "any" };

/** The narrowest type of a JSON value. What is deep, wide or circular becomes `any` where it goes too far. */
export function typeOfValue(value: unknown, depth = 0): LearnedType {
  if (value === null) return { kind: "null" };
  if (typeof value === "boolean" || typeof value === "string") return { kind: typeof value as "boolean" | "string" };
  if (typeof value === "number") return { kind: Number.isInteger(value) ? "integer" : "number" };
  if (typeof value !== "object" || depth >= DEEPEST) return ANY;
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => typeOfValue(item, depth + 1));
    return { kind: "array", items: items.reduce(mergeTypes, NEVER) };
  }
  const names = Object.keys(value);
  // A record with so many keys is a dictionary, whose keys say nothing about the next one.
  if (names.length > MOST_FIELDS) return { kind: "object", fields: [] };
  const typeOf = (name: string): LearnedType => typeOfValue((value as Record<string, unknown>)[name], depth + 1);
  return { kind: "object", fields: names.sort().map((name) => ({ name, type: typeOf(name), optional: false })) };
}

/** The narrowest type that holds both. Commutative, associative and idempotent, so the order of runs does not matter. */
export function mergeTypes(a: LearnedType, b: LearnedType): LearnedType {
  if (a.kind === "never") return b;
  if (b.kind === "never") return a;
  if (a.kind === "any" || b.kind === "any") return ANY;
  const merged: LearnedType[] = [];
  for (const next of [...membersOf(a), ...membersOf(b)]) addMember(merged, next);
  const [only, ...others] = merged.sort((x, y) => (x.kind < y.kind ? -1 : 1));
  return only !== undefined && others.length === 0 ? only : { kind: "union", of: merged };
}

function membersOf(type: LearnedType): readonly LearnedType[] {
  return type.kind === "union" ? type.of : [type];
}

/** At most one member of a kind; whole numbers are numbers. */
function addMember(merged: LearnedType[], next: LearnedType): void {
  const at = merged.findIndex((member) => familyOf(member) === familyOf(next));
  const member = merged[at];
  if (member === undefined) merged.push(next);
  else merged[at] = mergeAlike(member, next);
}

function familyOf({ kind }: LearnedType): string {
  return kind === "integer" ? "number" : kind;
}

function mergeAlike(a: LearnedType, b: LearnedType): LearnedType {
  if (a.kind === "array" && b.kind === "array") return { kind: "array", items: mergeTypes(a.items, b.items) };
  if (a.kind === "object" && b.kind === "object") return { kind: "object", fields: mergeFields(a.fields, b.fields) };
  return a.kind === b.kind ? a : { kind: "number" };
}

function mergeFields(a: readonly LearnedField[], b: readonly LearnedField[]): LearnedField[] {
  const [left, right] = [a, b].map((fields) => new Map(fields.map((field) => [field.name, field])));
  const names = [...new Set([...a, ...b].map(({ name }) => name))].sort();
  return names.map((name) => {
    const [mine, other] = [left?.get(name), right?.get(name)];
    const type = mergeTypes(mine?.type ?? NEVER, other?.type ?? NEVER);
    const optional = (mine?.optional ?? true) || (other?.optional ?? true);
    const used = mine?.used === true || other?.used === true;
    return { name, type, optional, ...(used && { used }) };
  });
}

/** Whether it has the form of a type, for what comes from outside. */
export function isType(value: unknown, depth = 0): value is LearnedType {
  if (typeof value !== "object" || value === null || depth > 2 * DEEPEST + 2) return false;
  const { kind, items, fields, of } = value as Record<string, unknown>;
  if (kind === "array") return isType(items, depth + 1);
  if (kind === "union") return Array.isArray(of) && of.every((member) => isType(member, depth + 1));
  if (kind !== "object") return PRIMITIVES.has(kind as string);
  return Array.isArray(fields) && fields.every((field) => isField(field, depth));
}

function isField(field: unknown, depth: number): boolean {
  if (typeof field !== "object" || field === null) return false;
  const { name, type, optional } = field as Record<string, unknown>;
  return typeof name === "string" && typeof optional === "boolean" && isType(type, depth + 1);
}
