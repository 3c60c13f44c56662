import type { ProbeHost } from "../src/index.js";

export interface RecordedCall {
  readonly tool: string;
  readonly input: unknown;
}

interface Announced {
  readonly node: string | undefined;
  readonly iteration: readonly number[];
  readonly tool: string;
  /** How many decisions had been reported before. */
  readonly decided: number;
}

export interface RecordedRun {
  /** What came back, as JSON, or the message of what was thrown. */
  readonly outcome: string;
  readonly calls: readonly RecordedCall[];
  /** Node and iteration that each call was announced for. */
  readonly announced: readonly Announced[];
  readonly decisions: readonly { node: string | undefined; outcome: string }[];
  readonly operations: readonly { node: string | undefined; operation: string }[];
  readonly ended: number;
  readonly error?: unknown;
}

type Body = (...powers: unknown[]) => Promise<unknown>;

const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Body;
const PARAMETERS = ["mcp", "capabilities", "args", "context", "__pmlHost"];
const MOST_CALLS = 2000;

/** Runs code against tools that note what they are given and answer by count, so that two runs are comparable. */
export async function recordRun(
  code: string,
  input: object = {},
  outcomes: Record<string, string> = {},
): Promise<RecordedRun> {
  const run = new Recorder(outcomes);
  const body = new AsyncFunction(...PARAMETERS, `"use strict";${code}`);
  let outcome: string;
  let error: unknown;
  try {
    outcome = JSON.stringify(await body(run.mcp, run.mcp, input, input, run.host)) ?? "undefined";
  } catch (thrown) {
    error = thrown;
    outcome = `thrown: ${String(thrown)}`;
  }
  // What was started and never awaited still belongs to the run.
  await new Promise((resolve) => setImmediate(resolve));
  const { calls, announced, decisions, operations, ended } = run;
  return { outcome, calls, announced, decisions, operations, ended, error };
}

class Recorder {
  readonly calls: RecordedCall[] = [];
  readonly announced: Announced[] = [];
  readonly decisions: { node: string | undefined; outcome: string }[] = [];
  readonly operations: { node: string | undefined; operation: string }[] = [];
  ended = 0;
  #pending: { node: string | undefined; iteration: readonly number[] } | undefined;

  readonly #outcomes: Record<string, string>;

  constructor(outcomes: Record<string, string>) {
    this.#outcomes = outcomes;
  }

  readonly host: ProbeHost = {
    choose: (node) => this.#outcomes[node ?? ""],
    announce: (node, iteration) => void (this.#pending = { node, iteration }),
    decision: (node, outcome) => void this.decisions.push({ node, outcome }),
    start: (node, operation) => this.operations.push({ node, operation }),
    end: () => void this.ended++,
  };

  readonly mcp: object = namespace((server) =>
    namespace(
      (name) =>
        (...inputs: unknown[]) =>
          this.#call(`${server}:${name}`, inputs),
    ),
  );

  async #call(tool: string, inputs: readonly unknown[]): Promise<unknown> {
    const { node, iteration } = this.#pending ?? { node: undefined, iteration: [] };
    this.#pending = undefined;
    if (this.calls.length >= MOST_CALLS) throw new Error("too many calls");
    this.calls.push({ tool, input: structuredClone(inputs) });
    this.announced.push({ node, iteration, tool, decided: this.decisions.length });
    const count = this.calls.length;
    for (let turn = 0; turn < count % 3; turn++) await undefined;
    if (tool.endsWith(":fail") && count % 2 === 0) throw new Error(`${tool} failed at ${count}`);
    return { ok: count % 3 !== 0, value: count % 5, items: [1, 2, 3].slice(0, count % 4), text: ` call ${count} ` };
  }
}

function namespace(member: (name: string) => unknown): object {
  return new Proxy({}, { get: (_, name) => (typeof name === "string" && name !== "then" ? member(name) : undefined) });
}
