import type { CallEvent, EdgeSource, EdgeType, Fact, RunRecord } from "../src/index.js";

/** Calls one after the other, a millisecond each. */
export function chain(...names: readonly string[]): CallEvent[] {
  return names.map((name, at) => ({ id: `c${at}`, name, startMs: 2 * at, endMs: 2 * at + 1, success: true }));
}

export function runOf(trace: string, ...names: readonly string[]): RunRecord {
  return { trace, calls: chain(...names) };
}

export function edge(from: string, to: string, type: EdgeType = "dependency", source: EdgeSource = "manual"): Fact {
  return { kind: "edge", from, to, type, source };
}

/** Names that would hit built-in properties where objects are used as maps. */
export const HOSTILE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "a\u0000b", "🙂", " "] as const;
