import { describeFailure, type Failure } from "../execute/answer.js";

/** The answer as JSON: what a model is shown is text in the end. */
export function toJson(answer: unknown): unknown {
  const text = JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

export function toFailure(error: unknown): { status: "error"; error: Failure } {
  return { status: "error", error: toJson(describeFailure(error)) as Failure };
}
