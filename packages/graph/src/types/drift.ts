import { type LearnedType, typeOfValue } from "./learned-type.js";

/** One place at which a live result is not of the learned type. */
export interface Drift {
  /** Keys from the result down; `*` for the items of a list. */
  readonly path: readonly string[];
  readonly kind: "new_field" | "missing_field" | "other_type";
  readonly expected: string;
  readonly found: string;
}

export function findDrift(type: LearnedType, result: unknown): Drift[] {
  return compareTypes(type, typeOfValue(result), []);
}

function compareTypes(learned: LearnedType, live: LearnedType, path: readonly string[]): Drift[] {
  if (learned.kind === "any" || learned.kind === "never" || live.kind === "never") return [];
  // The items of one list may be of several types; each has to be one that was seen.
  if (live.kind === "union") return live.of.flatMap((member) => compareTypes(learned, member, path));
  const [here, there] = [pick(learned, live.kind), live];
  if (here === undefined) return [{ path, kind: "other_type", expected: describe(learned), found: describe(live) }];
  if (here.kind === "array" && there.kind === "array") return compareTypes(here.items, there.items, [...path, "*"]);
  if (here.kind === "object" && there.kind === "object") return compareFields(here, there, path);
  return [];
}

type ObjectType = Extract<LearnedType, { kind: "object" }>;

function compareFields(learned: ObjectType, live: ObjectType, path: readonly string[]): Drift[] {
  const found = new Map(live.fields.map((field) => [field.name, field.type]));
  const known = new Set(learned.fields.map(({ name }) => name));
  const inKnown = learned.fields.flatMap(({ name, type, optional }): Drift[] => {
    const at = [...path, name];
    const value = found.get(name);
    if (value !== undefined) return compareTypes(type, value, at);
    return optional ? [] : [{ path: at, kind: "missing_field", expected: describe(type), found: "nothing" }];
  });
  const added = live.fields
    .filter(({ name }) => !known.has(name))
    .map(({ name, type }): Drift => ({
      path: [...path, name],
      kind: "new_field",
      expected: "nothing",
      found: describe(type),
    }));
  return [...inKnown, ...added];
}

/** The member that a live type may be compared with: a whole number will do where numbers were seen. */
function pick(learned: LearnedType, kind: LearnedType["kind"]): LearnedType | undefined {
  const members = learned.kind === "union" ? learned.of : [learned];
  const wanted = kind === "integer" ? ["integer", "number"] : [kind];
  return members.find((member) => wanted.includes(member.kind));
}

function describe(type: LearnedType): string {
  if (type.kind === "union") return type.of.map(describe).join(" or ");
  return type.kind === "array" ? `array of ${describe(type.items)}` : type.kind;
}
