import type { DagFrom, DagParam, DagValue } from "@pml/analyzer";

import { PmlError } from "../model/error.js";

/** What the values of a DAG stand for at one moment of its run. */
export interface Values {
  readonly results: ReadonlyMap<string, unknown>;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Replaces references by what they stand for. Throws where a part of a path is missing. */
export function resolveValue(value: DagValue, values: Values): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly DagValue[]).map((item) => resolveValue(item, values));
  const record = value as Record<string, DagValue>;
  if (Object.hasOwn(record, "$literal")) return record["$literal"];
  if (typeof record["$from"] === "string")
    return follow(values.results.get(record["$from"]), value as unknown as DagFrom);
  if (typeof record["$param"] === "string")
    return follow(readInput(value as unknown as DagParam, values), value as unknown as DagParam);
  return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, resolveValue(item, values)]));
}

function readInput({ $param: name, default: fallback }: DagParam, { inputs }: Values): unknown {
  if (name === "*") return inputs;
  const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return given === undefined ? fallback : given;
}

/** As code would: what a string or an array inherits can be read, and nothing can be read of nothing. */
function follow(value: unknown, { path = [], optional }: Pick<DagFrom, "path" | "optional">): unknown {
  let current = value;
  for (const [at, part] of path.entries()) {
    if (current === undefined || current === null) {
      if (optional) return undefined;
      const message = `Cannot read "${String(part)}" of ${String(current)}: a result has no ${path.slice(0, at + 1).join(".")}.`;
      throw new PmlError("PML_INVALID_ARGUMENTS", message, { details: { path } });
    }
    current = readPart(current, part);
  }
  return current;
}

/** Own data, and the length of strings: a path from a stored DAG must not reach constructors. */
function readPart(current: unknown, part: string | number): unknown {
  if (typeof current === "string") return part === "length" ? current.length : current[Number(part)];
  return typeof current === "object" && current !== null && Object.hasOwn(current, part)
    ? (current as Record<string | number, unknown>)[part]
    : undefined;
}
