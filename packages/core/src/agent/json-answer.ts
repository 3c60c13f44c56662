import { describeFailure, type Failure } from "../execute/answer.js";

/** The answer as JSON: what a model is shown is text in the end. Code may give what JSON has no word for. */
export function toJson(answer: unknown): unknown {
  const text = JSON.stringify(answer, (_, value: unknown) => plain(value));
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

export function toFailure(error: unknown): { status: "error"; error: Failure } {
  return { status: "error", error: toJson(describeFailure(error)) as Failure };
}
