import { createHash } from "node:crypto";

/**
 * Names that mean something else where code calls tools: doors, pure operations, the servers of the standard library,
 * and what the language looks up on any object. `await mcp.fs` must not call a tool named `then`.
 */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "cap capabilities capability code dns learn meta pml std unnamed __proto__ __defineGetter__ __defineSetter__ " +
    "__lookupGetter__ __lookupSetter__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then " +
    "toJSON toLocaleString toString valueOf"
  ).split(" "),
);
const LONGEST = 100;

/**
 * One id for each name, in a form that code can write. What need not change keeps its name whatever the order; of two
 * that come out alike, those that had to change are told apart by a hash of what they were.
 */
export function nameTools(names: readonly string[]): Map<string, string> {
  const kept = new Set(names.filter((name) => clean(name) === name));
  const changed = names.filter((name) => !kept.has(name));
  const alike = new Map<string, number>();
  for (const name of changed) alike.set(clean(name), (alike.get(clean(name)) ?? 0) + 1);
  const isTaken = (name: string): boolean => kept.has(name) || (alike.get(name) ?? 0) > 1;
  const tellApart = (name: string): string => {
    let apart = isTaken(clean(name)) ? `${clean(name)}_${hash(name)}` : clean(name);
    while (kept.has(apart)) apart += "_";
    return apart;
  };
  return new Map([
    ...[...kept].map((name) => [name, name] as const),
    ...changed.map((name) => [name, tellApart(name)] as const),
  ]);
}

function clean(name: string): string {
  const plain = name.normalize("NFC").replaceAll(/[^\p{L}\p{N}_.$/-]/gu, "_");
  const short = plain.length > LONGEST ? `${[...plain].slice(0, LONGEST).join("")}_${hash(name)}` : plain;
  return short === "" || RESERVED.has(short) ? `${short}_` : short;
}

function hash(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}
