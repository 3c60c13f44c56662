import type { JsonSchema, LearnedType } from "@pml/graph";

/** A type of results, and in how many runs they had it. */
export type SeenType = readonly [type: LearnedType, runs: number];

/** What whoever writes results could say in the name of a field is kept this short. */
const LONGEST_NAME = 40;
const PLAIN_NAME = /^[A-Za-z_$][\w$-]*$/;

/**
 * What is told of a tool's results. Whoever wrote them chose the names of their fields, and what is told is read by
 * models: so a name is told where code has read it, or, unless strangers write the results, where it is a plain one that
 * many runs had. A kind of value, or that something is missing, is told unless hardly any run had it.
 */
export function tellType(seen: readonly SeenType[], { byStrangers }: { byStrangers: boolean }): JsonSchema {
  return tell(seen, (name, seenIn, all) => !byStrangers && isPlain(name) && seenIn > 1 && seenIn > all / 4);
}

type MayTell = (name: string, seenIn: number, all: number) => boolean;

function tell(seen: readonly SeenType[], mayTell: MayTell): JsonSchema {
  const all = countRuns(seen);
  const members = seen.flatMap(([type, runs]): SeenType[] =>
    type.kind === "union" ? type.of.map((member) => [member, runs]) : [[type, runs]],
  );
  const families = groupBy(members, ([type]) => familyOf(type));
  const common = [...families.values()].filter((family) => isCommon(countRuns(family), all));
  const schemas = common.map((family) => tellFamily(family, mayTell));
  const [only, ...others] = schemas;
  if (only === undefined || schemas.some(({ type }) => type === undefined)) return {};
  return others.length === 0 ? only : { anyOf: schemas };
}

function tellFamily(family: readonly SeenType[], mayTell: MayTell): JsonSchema {
  const [[first]] = family as [SeenType];
  if (first.kind === "array") return { type: "array", items: tell(family.flatMap(readItems), mayTell) };
  if (first.kind === "object") return tellObject(family, mayTell);
  if (first.kind === "any") return {};
  const kinds = new Set(family.map(([{ kind }]) => kind));
  return { type: kinds.size === 1 ? first.kind : "number" };
}

function tellObject(family: readonly SeenType[], mayTell: MayTell): JsonSchema {
  const all = countRuns(family);
  const fields = groupBy(family.flatMap(readFields), ({ name }) => name);
  const told = [...fields]
    .sort(byName)
    .filter(
      ([name, each]) => each.some(({ used }) => used) || mayTell(name, countRuns(each.map(({ seen }) => seen)), all),
    );
  const required = told.filter(([, each]) => {
    const without = all - countRuns(each.filter(({ optional }) => !optional).map(({ seen }) => seen));
    return !isCommon(without, all);
  });
  return {
    type: "object",
    properties: Object.fromEntries(
      told.map(([name, each]) => [
        name,
        tell(
          each.map(({ seen }) => seen),
          mayTell,
        ),
      ]),
    ),
    required: required.map(([name]) => name),
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function readItems([type, runs]: SeenType): SeenType[] {
  return type.kind === "array" && type.items.kind !== "never" ? [[type.items, runs]] : [];
}

function readFields([type, runs]: SeenType): { name: string; optional: boolean; used: boolean; seen: SeenType }[] {
  if (type.kind !== "object") return [];
  return type.fields.map(({ name, optional, used = false, type: inner }) => ({
    name,
    optional,
    used,
    seen: [inner, runs],
  }));
}

function familyOf({ kind }: LearnedType): string {
  return kind === "integer" ? "number" : kind;
}

function isCommon(runs: number, all: number): boolean {
  return runs > all / 10;
}

function isPlain(name: string): boolean {
  return name.length <= LONGEST_NAME && PLAIN_NAME.test(name);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function countRuns(seen: readonly SeenType[]): number {
  return seen.reduce((sum, [, runs]) => sum + runs, 0);
}
