import type { CallFact } from "../facts.js";

export type RecentCallsState = readonly (readonly [trace: string, calls: readonly CallFact[]])[];

/** The calls of the latest traces, for drawing. Bounded: the store has the rest. */
export class RecentCalls {
  readonly #traces = new Map<string, Map<string, CallFact>>();
  readonly #mostTraces: number;

  constructor(mostTraces: number) {
    this.#mostTraces = mostTraces;
  }

  observe(call: CallFact): void {
    const trace = call.trace ?? "";
    const calls = this.#traces.get(trace) ?? new Map<string, CallFact>();
    calls.set(call.id, call);
    this.#traces.set(trace, calls);
    const oldest = this.#traces.keys().next();
    if (this.#traces.size > this.#mostTraces && !oldest.done) this.#traces.delete(oldest.value);
  }

  retract(call: CallFact): void {
    const calls = this.#traces.get(call.trace ?? "");
    calls?.delete(call.id);
    if (calls?.size === 0) this.#traces.delete(call.trace ?? "");
  }

  list(trace?: string): CallFact[] {
    const traces = trace === undefined ? [...this.#traces.values()] : [this.#traces.get(trace) ?? new Map()];
    return traces.flatMap((calls: Map<string, CallFact>) => [...calls.values()]);
  }

  toState(): RecentCallsState {
    return [...this.#traces].map(([trace, calls]) => [trace, [...calls.values()]]);
  }

  restore(state: RecentCallsState): void {
    for (const [, calls] of state) for (const call of calls) this.observe(call);
  }
}
