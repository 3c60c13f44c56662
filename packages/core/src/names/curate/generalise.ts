import type { DAGStructure, DagTask, DagValue } from "@pml/analyzer";

import { canonicalJson } from "../../model/identity.js";
import { align } from "./align.js";
import { holdsReference, isFrom, isParam, isRecord } from "./dag-values.js";

/** A DAG that is two, with what differs between them as parameters. */
export interface Generalisation {
  dag: DAGStructure;
  /** New parameters, each with what it was in the first. */
  parameters: Record<string, DagValue>;
}

class NotAlike extends Error {}

/**
 * The most special DAG that both are cases of, or undefined where they differ in more than values. Where the same two
 * values stand against each other in a field of the same name, one parameter stands for both.
 */
export function generalise(first: DAGStructure, second: DAGStructure): Generalisation | undefined {
  const pairs = align(first, second);
  if (pairs === undefined) return undefined;
  const work = new Work(new Map(pairs.map(([a, b]) => [b.id, a.id])), listParameters(first));
  try {
    const tasks = pairs.map(([a, b]) => work.unifyTask(a, b));
    const returns = work.unifyReturns(first.returns ?? [], second.returns ?? []);
    return { dag: { tasks, ...(returns.length > 0 && { returns }) }, parameters: work.parameters };
  } catch (error) {
    if (error instanceof NotAlike) return undefined;
    throw error;
  }
}

class Work {
  readonly parameters: Record<string, DagValue> = {};
  readonly #ids: ReadonlyMap<string, string>;
  readonly #taken: Set<string>;
  readonly #given = new Map<string, string>();

  constructor(ids: ReadonlyMap<string, string>, taken: Set<string>) {
    this.#ids = ids;
    this.#taken = taken;
  }

  unifyTask(a: DagTask, b: DagTask): DagTask {
    const fields = [...new Set([...Object.keys(a.arguments), ...Object.keys(b.arguments)])];
    const values = fields.map((field): [string, DagValue] => {
      const [left, right] = [valueOf(a.arguments, field), valueOf(b.arguments, field)];
      if (left === undefined || right === undefined) throw new NotAlike();
      return [field, this.#unify(left, right, field)];
    });
    const items = a.forEach && b.forEach ? this.#unify(a.forEach.items, b.forEach.items, "items") : undefined;
    return {
      ...a,
      arguments: Object.fromEntries(values),
      ...(a.forEach && items !== undefined && { forEach: { ...a.forEach, items } }),
    };
  }

  unifyReturns(
    first: NonNullable<DAGStructure["returns"]>,
    second: NonNullable<DAGStructure["returns"]>,
  ): NonNullable<DAGStructure["returns"]> {
    if (first.length !== second.length) throw new NotAlike();
    return first.map((a, index) => {
      const b = second[index];
      const isSame = a.when?.outcome === b?.when?.outcome && a.when?.decision === this.#idOf(b?.when?.decision);
      if (!isSame || (a.value === undefined) !== (b?.value === undefined)) throw new NotAlike();
      return a.value === undefined ? a : { ...a, value: this.#unify(a.value, b?.value as DagValue, "result") };
    });
  }

  #idOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#ids.get(id);
  }

  #unify(a: DagValue, b: DagValue, field: string): DagValue {
    if (isFrom(a) && isFrom(b)) {
      if (a.$from === this.#idOf(b.$from) && canonicalJson(a.path) === canonicalJson(b.path)) return a;
      throw new NotAlike();
    }
    if (isFrom(a) || isFrom(b)) throw new NotAlike();
    if (isParam(a)) return isParam(b) || !holdsReference(b) ? a : this.#refuse();
    if (isParam(b)) return holdsReference(a) ? this.#refuse() : this.#lift(a, b, field);
    if (canonicalJson(a) === canonicalJson(b) && !holdsReference(a)) return a;
    if (isRecord(a) && isRecord(b) && (holdsReference(a) || holdsReference(b))) return this.#unifyRecords(a, b);
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length && (holdsReference(a) || holdsReference(b)))
      return a.map((each: DagValue, index) => this.#unify(each, b[index] as DagValue, field));
    if (holdsReference(a) || holdsReference(b)) throw new NotAlike();
    return this.#lift(a, b, field);
  }

  #unifyRecords(a: Readonly<Record<string, DagValue>>, b: Readonly<Record<string, DagValue>>): DagValue {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) throw new NotAlike();
    return Object.fromEntries(
      keys.map((key) => {
        const [left, right] = [valueOf(a, key), valueOf(b, key)];
        if (left === undefined || right === undefined) throw new NotAlike();
        return [key, this.#unify(left, right, key)];
      }),
    );
  }

  #lift(a: DagValue, b: DagValue, field: string): DagValue {
    const key = canonicalJson([field, a, b]);
    const name = this.#given.get(key) ?? this.#newName(/^(?!__proto__$)[A-Za-z_]\w*$/.test(field) ? field : "value");
    this.#given.set(key, name);
    this.parameters[name] = a;
    return { $param: name, default: a as never };
  }

  #newName(base: string): string {
    let name = base;
    for (let number = 2; this.#taken.has(name); number++) name = `${base}${number}`;
    this.#taken.add(name);
    return name;
  }

  #refuse(): never {
    throw new NotAlike();
  }
}

/** Its own: every object has a `constructor`. */
function valueOf(record: Readonly<Record<string, DagValue>>, key: string): DagValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function listParameters({ tasks, returns = [] }: DAGStructure): Set<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isParam(value as DagValue)) names.add((value as { $param: string }).$param);
    for (const each of Object.values(value)) collect(each);
  };
  collect([tasks, returns]);
  return names;
}
