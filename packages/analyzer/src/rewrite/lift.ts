import type { AnyNode } from "acorn";

import type { JsonSchema } from "../catalog.js";
import type { Liftable, Machine } from "../evaluate/machine.js";
import { INPUT_NAMES } from "../globals.js";
import type { SourceText } from "../parse/source-text.js";
import { access } from "../spelling.js";
import type { Json } from "../structure.js";
import { Edits } from "./edits.js";

export interface Parameterised {
  /**
   * The agent's code, types and all, with literal inputs of calls taken from `args`. Run with `defaults`, it is the
   * original; to run it, analyse it, and take what is instrumented.
   */
  readonly code: string;
  readonly defaults: Readonly<Record<string, Json>>;
}

export interface Lifted {
  readonly parameterised: Parameterised;
  /** The literals that became parameters. */
  readonly origins: ReadonlySet<AnyNode>;
}

/** Turns literals that fill a field of a call into parameters named after the field. */
export function lift(machine: Machine, source: SourceText): Lifted {
  const edits = new Edits();
  const names = new Names(machine);
  const origins = new Set<AnyNode>();
  const input = findInputName(machine);
  for (const { origin, field, value, schema } of input === undefined ? [] : listLiftable(machine)) {
    const name = names.give(field, value);
    machine.inputs.optional(name, value);
    machine.inputs.flowsInto(name, [], schema ?? { type: typeOf(value) });
    edits.replace(origin, `${input}${access(name)}`);
    origins.add(origin);
  }
  return { parameterised: { code: edits.apply(source.text), defaults: names.defaults }, origins };
}

/** Whoever gets the whole input object would get lifted values too, so then nothing is lifted. */
function findInputName({ inputs, scopes }: Machine): string | undefined {
  if (inputs.isHandedOn) return undefined;
  const declared = new Set(scopes.declared().map(({ name }) => name));
  return INPUT_NAMES.find((name) => !declared.has(name));
}

/** Each literal once, the outer one where one holds another, in source order. */
function listLiftable({ liftables, fixed }: Machine): Liftable[] {
  const first = new Map<AnyNode, Liftable>();
  const varying = new Set<AnyNode>();
  for (const liftable of liftables) {
    const before = first.get(liftable.origin);
    const isFree = !fixed.has(liftable.origin) && liftable.field !== "__proto__";
    if (isFree && !before) first.set(liftable.origin, liftable);
    // A list in a helper may hold something else in each call.
    if (before && JSON.stringify(before.value) !== JSON.stringify(liftable.value)) varying.add(liftable.origin);
  }
  for (const origin of varying) first.delete(origin);
  const sorted = [...first.values()].sort((a, b) => a.origin.start - b.origin.start || b.origin.end - a.origin.end);
  let end = 0;
  return sorted.filter(({ origin }) => {
    if (origin.start < end) return false;
    end = origin.end;
    return true;
  });
}

/** Gives out parameter names: one for the same value of the same field, `path`, `path2`, … for others. */
class Names {
  readonly defaults: Record<string, Json> = {};
  readonly #machine: Machine;
  readonly #given = new Map<string, string>();
  readonly #numbers = new Map<string, number>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  give(field: string, value: Json): string {
    const key = JSON.stringify([field, value]);
    let name = this.#given.get(key);
    if (name !== undefined) return name;
    name = this.#unused(field);
    this.#given.set(key, name);
    this.defaults[name] = value;
    return name;
  }

  #unused(field: string): string {
    let number = this.#numbers.get(field) ?? 1;
    const name = (): string => (number === 1 ? field : `${field}${number}`);
    while (this.#machine.inputs.has(name())) number++;
    this.#numbers.set(field, number);
    return name();
  }
}

function typeOf(value: Json): JsonSchema["type"] & string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
