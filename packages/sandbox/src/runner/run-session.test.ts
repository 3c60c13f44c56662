import { describe, expect, it } from "vitest";

import { DEFAULT_LIMITS } from "../limits.js";
import { encodeValue } from "../wire/encode-value.js";
import { type OpenLink, openLink } from "./link.js";
import { RunSession } from "./run-session.js";
import type { GuestCall, Observation, Outcome } from "./runner.js";

const RUN = 7;
const CALL = { type: "call", run: RUN, id: 1, scope: 0, tool: "a:b", at: 0, tagged: false, value: {} };
const DONE = { type: "done", run: RUN, droppedEvents: 0, tagged: false, value: 1 };
const LOG = { type: "event", run: RUN, scope: 0, at: 0, event: { type: "log", level: "info", message: "m" } };

const START = { type: "capability_start", id: 1, capability: "c" };
const END = { type: "capability_end", id: 1 };
const asEvent = (event: object): object => ({ ...LOG, event });

function nest(levels: number): string {
  return `{"type":"done","run":${RUN},"droppedEvents":0,"tagged":false,"value":${"[".repeat(levels)}${"]".repeat(levels)}}`;
}

/** A session with a child that says whatever the test wants: what a child could say once code had broken out of it. */
function startSession(limits: Partial<typeof DEFAULT_LIMITS> = {}) {
  const calls: GuestCall[] = [];
  const observed: Observation[] = [];
  const left: boolean[] = [];
  const written: string[] = [];
  const child: OpenLink = openLink({
    write: (text) => void written.push(text),
    kill: () => child.end({ reason: "crash", detail: "killed" }),
    hold: () => {},
    release: () => {},
  });
  const encoding = encodeValue({}, 100);
  if (!encoding.ok) throw new Error("An empty object crosses.");
  const session = new RunSession({
    run: RUN,
    link: child.link,
    leave: (reusable) => void left.push(reusable),
    now: () => 0,
    program: {
      code: "",
      capabilities: [],
      context: encoding.value,
      limits: { ...DEFAULT_LIMITS, ...limits },
      clock: true,
      random: true,
      recording: { clock: [], randomSeed: "0".repeat(32) },
    },
    powers: {
      signal: new AbortController().signal,
      async call(call) {
        calls.push(call);
        return { ok: true, value: { text: "1", tagged: false } };
      },
      observe(observation) {
        observed.push(observation);
        return undefined;
      },
    },
  });
  const say = (...messages: unknown[]): void =>
    child.receive(`${messages.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n")}\n`);
  return { session, child, say, calls, observed, left, written };
}

function codeOf(outcome: Outcome): string {
  return outcome.ok ? "success" : outcome.fault.code;
}

describe("a child that has been taken over", () => {
  it.each<[name: string, ...messages: unknown[]]>([
    ["sends what is not JSON", "{"],
    ["sends nothing in a line", ""],
    ["sends a number", "1"],
    ["sends null", "null"],
    ["sends a list", "[]"],
    ["sends an unknown type", { type: "shutdown", run: RUN }],
    ["sends a type of the prototype", { type: "constructor", run: RUN }],
    ["sends a field nobody knows", { ...DONE, extra: 1 }],
    ["says it is ready again, in other words", '{"type":"ready" }'],
    ["sends a reply, as the host would", { type: "reply", run: RUN, id: 1, value: 1 }],
    ["speaks for another run", { ...DONE, run: RUN + 1 }],
    ["speaks for a run before it", { ...CALL, run: RUN - 1 }],
    ["calls under an id it has used", CALL, CALL],
    ["calls under a lower id", { ...CALL, id: 5 }, { ...CALL, id: 4 }],
    ["calls under the id of a capability", { ...LOG, event: START }, { ...CALL, id: 1 }],
    ["calls from a capability that never began", { ...CALL, scope: 3 }],
    ["logs from a capability that never began", { ...LOG, scope: 3 }],
    ["begins a capability under the id of a call", CALL, { ...LOG, event: START }],
    ["begins a capability inside itself", { ...LOG, scope: 1, event: START }],
    ["ends a capability that never began", { ...LOG, event: { type: "capability_end", id: 1 } }],
    ["ends a capability twice", ...[START, END, END].map(asEvent)],
    ["ends a call of a tool as a capability", CALL, { ...LOG, event: END }],
    ["ends a call of a tool as an operation", CALL, { ...LOG, event: { type: "operation_end", id: 1 } }],
    ["ends a capability as an operation", ...[START, { type: "operation_end", id: 1 }].map(asEvent)],
    ["calls under a negative id", { ...CALL, id: -1 }],
    ["calls under a fraction", { ...CALL, id: 1.5 }],
    ["calls a tool that is an object", { ...CALL, tool: { toString: 1 } }],
    ["calls in a scope that is text", { ...CALL, scope: "0" }],
    ["gives a node that is an object", { ...CALL, nodeId: {} }],
    ["gives a clock that is no list", { ...CALL, clock: { length: 1e9 } }],
    ["gives readings of the clock that are none", { type: "clock", run: RUN, clock: [[1]] }],
    ["gives an event nobody knows", { ...LOG, event: { type: "tool_end" } }],
    ["gives an event without its fields", { ...LOG, event: { type: "log" } }],
    ["gives an event as the host would write it", { ...LOG, event: { type: "tool_start", tool: "a:b" } }],
    ["gives a fault with a code nobody knows", { ...DONE, fault: { code: "FORGED", message: "", details: {} } }],
    ["gives a fault without details", { ...DONE, fault: { code: "SANDBOX_TIMEOUT", message: "" } }],
    [
      "sends a __proto__ key",
      `{"type":"done","run":${RUN},"droppedEvents":0,"tagged":true,"value":{"__proto__":{"polluted":1}}}`,
    ],
    [
      "sends a __proto__ key without a tag",
      `{"type":"done","run":${RUN},"droppedEvents":0,"tagged":false,"value":{"__proto__":1}}`,
    ],
    [
      "sends an escaped __proto__ key",
      `{"type":"done","run":${RUN},"droppedEvents":0,"tagged":false,"value":{"\\u005f_proto__":1}}`,
    ],
    [
      "sends a __proto__ key with another character escaped",
      `{"type":"done","run":${RUN},"droppedEvents":0,"tagged":false,"value":{"__\\u0070roto__":1}}`,
    ],
    [
      "sends a __proto__ key in a fault",
      `{"type":"done","run":${RUN},"droppedEvents":0,"fault":{"code":"SANDBOX_TIMEOUT","message":"","details":{"a":[{"__\\u0070roto__":1}]}}}`,
    ],
    ["sends a value of a million levels", nest(10 ** 6)],
    ["sends a value of two thousand levels", nest(2000)],
    [
      "sends a fault of two thousand levels",
      `{"type":"done","run":${RUN},"droppedEvents":0,"fault":{"code":"SANDBOX_TIMEOUT","message":"","details":{"a":${"[".repeat(2000)}${"]".repeat(2000)}}}}`,
    ],
    ["sends a tag nobody knows", { ...DONE, tagged: true, value: { $type: "Function", value: "return this" } }],
    ["sends a map that is none", { ...DONE, tagged: true, value: { $type: "Map", value: 1 } }],
    ["sends a bigint that is none", { ...DONE, tagged: true, value: { $type: "bigint", value: "zz" } }],
  ])("is ended when it %s", async (_, ...messages) => {
    const { session, say, left } = startSession();
    say(...messages);
    expect(codeOf(await session.outcome)).toBe("SANDBOX_PROTOCOL");
    expect(left).toEqual([false]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("is ended when it sends a line longer than any value may be, before the line is complete", async () => {
    const { session, child } = startSession({ maxArgumentBytes: 10, maxResultBytes: 10 });
    child.receive("x".repeat(100_000));
    expect(codeOf(await session.outcome)).toBe("SANDBOX_PROTOCOL");
  });

  it("is ended when it sends too much in all", async () => {
    const { session, say } = startSession({ maxOutputBytes: 1000 });
    for (let count = 0; count < 20; count++) say(LOG);
    expect(codeOf(await session.outcome)).toBe("SANDBOX_OUTPUT_TOO_LARGE");
  });

  it.each<[name: string, limits: Partial<typeof DEFAULT_LIMITS>, ...messages: object[]]>([
    [
      "decisions",
      { maxTraceEvents: 2 },
      ...Array.from({ length: 3 }, () => asEvent({ type: "decision", outcome: "" })),
    ],
    [
      "operations",
      { maxTraceEvents: 2 },
      ...[1, 2, 3].map((id) => asEvent({ type: "operation_start", id, operation: "code:map" })),
    ],
    ["capabilities", { maxTraceEvents: 2 }, ...[1, 2, 3].map((id) => asEvent({ ...START, id }))],
    [
      "capabilities inside each other",
      { maxCapabilityDepth: 2 },
      ...[1, 2, 3].map((id) => ({ ...asEvent({ ...START, id }), scope: id - 1 })),
    ],
  ])("is ended when it reports more %s than its run may have", async (_, limits, ...messages) => {
    const { session, say, observed } = startSession(limits);
    say(...messages);
    expect(codeOf(await session.outcome)).toBe("SANDBOX_PROTOCOL");
    expect(observed).toHaveLength(2);
  });

  it("may send what nests as deep as a value may", async () => {
    const { session, say } = startSession();
    const value = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ $type: "Map", value: [[1, inner]] }), 1);
    say({ ...DONE, tagged: true, value });
    expect(codeOf(await session.outcome)).toBe("success");
  });

  it("calls nothing and says nothing after its result", async () => {
    const { session, say, calls, observed, left } = startSession();
    say(DONE, CALL, LOG, { ...DONE, value: 2 });
    expect(await session.outcome).toMatchObject({ ok: true, value: 1 });
    expect([calls, observed, left]).toEqual([[], [], [true]]);
  });

  it("is ended when it speaks between two runs", async () => {
    const { session, child, say } = startSession();
    say(DONE);
    await session.outcome;
    child.link.listen(undefined);
    say(CALL);
    await expect(child.link.gone).resolves.toBeUndefined();
  });

  it("calls nothing after it was ended", async () => {
    const { session, say, calls } = startSession();
    say("{", CALL);
    await session.outcome;
    expect(calls).toEqual([]);
  });

  it("gets no answer to a call that comes after its result", async () => {
    const { session, say, written } = startSession();
    say(CALL, DONE);
    await session.outcome;
    await new Promise((done) => setTimeout(done, 5));
    expect(written).toHaveLength(1);
  });
});
