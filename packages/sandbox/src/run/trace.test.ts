import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { RunEvent } from "../events.js";
import type { GuestEvent } from "../wire/messages.js";
import { Trace } from "./trace.js";

interface Step {
  kind: "call" | "capability" | "operation" | "end" | "log";
  at: number;
  /** The scope it happens in, or what ends. */
  of: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("call", "capability", "operation", "end", "log"),
  at: fc.nat(1000),
  of: fc.nat(20),
});

/** What a child could report, in whatever order and with whatever times. */
function play(steps: Step[]): RunEvent[] {
  const events: RunEvent[] = [];
  let now = 0;
  const trace = new Trace({ traceId: "t", now: () => (now += 10), emit: (event) => void events.push(event) });
  for (const [index, each] of steps.entries()) take(trace, index + 1, each);
  trace.close({ code: "SANDBOX_ABORTED", message: "", details: {} });
  return events;
}

function take(trace: Trace, id: number, { kind, at, of }: Step): void {
  const observe = (event: GuestEvent): void => trace.observe({ event, scope: of, value: {}, origin: {}, at });
  const steps: Record<Step["kind"], () => unknown> = {
    call: () => trace.startCall({ id, tool: "a:b", args: {}, origin: {}, scope: of, at, clock: [] }),
    capability: () => observe({ type: "capability_start", id, capability: "c" }),
    operation: () => observe({ type: "operation_start", id, operation: "code:map" }),
    end: () => trace.endCall(of, { result: 1 }),
    log: () => observe({ type: "log", level: "info", message: "" }),
  };
  steps[kind]();
}

describe("a trace", () => {
  it("never goes back in time", () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const times = play(steps).map(({ ts }) => ts);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });

  it("ends everything that it starts, once, after its start", () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const events = play(steps);
        const ids = (type: RegExp): string[] =>
          events.filter((event) => type.test(event.type)).map(({ traceId }) => traceId);
        expect(ids(/_end$/).sort()).toEqual(ids(/_start$/).sort());
        const durations = events.map((event) => ("durationMs" in event ? event.durationMs : 0));
        expect(durations.every((duration) => duration >= 0)).toBe(true);
      }),
    );
  });

  it("lists the tools that have not answered", () => {
    const trace = new Trace({ traceId: "t", now: () => 0, emit: () => {} });
    take(trace, 1, { kind: "call", at: 0, of: 0 });
    take(trace, 2, { kind: "capability", at: 0, of: 0 });
    expect(trace.listOpenTools()).toEqual(["a:b"]);
  });
});
