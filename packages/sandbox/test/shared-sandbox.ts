import {
  createSandbox,
  type RunEvent,
  type RunRequest,
  type RunResult,
  type Sandbox,
  type SandboxOptions,
} from "@pml/sandbox";
import { afterAll, beforeAll } from "vitest";

interface Observed {
  result: RunResult;
  events: RunEvent[];
}

export interface SharedSandbox {
  /** Runs it, and returns what came of it. */
  run(request: RunRequest): Promise<RunResult>;
  /** What it returned, or the code of its error. */
  outcome(code: string, request?: Partial<RunRequest>): Promise<unknown>;
  observe(request: RunRequest): Promise<Observed>;
}

/** One sandbox for all tests of a file. */
export function useSandbox(options: SandboxOptions = {}): SharedSandbox {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = createSandbox({ pool: { size: 1 }, ...options });
  });
  afterAll(() => sandbox.close());
  return { run, outcome, observe };

  function run(request: RunRequest): Promise<RunResult> {
    return sandbox.run(request).result;
  }

  async function outcome(code: string, request: Partial<RunRequest> = {}): Promise<unknown> {
    const result = await run({ code, ...request });
    return result.status === "success" ? result.value : result.error.code;
  }

  async function observe(request: RunRequest): Promise<Observed> {
    const { events, result } = sandbox.run(request);
    const seen: RunEvent[] = [];
    for await (const event of events) seen.push(event);
    return { result: await result, events: seen };
  }
}
