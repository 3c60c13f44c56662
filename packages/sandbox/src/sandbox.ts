import { setMaxListeners } from "node:events";

import { listCapabilities } from "./capabilities.js";
import { type Fault, invalidOptions, SandboxError } from "./error.js";
import { refusalFault } from "./faults.js";
import { type Limits, resolveLimits } from "./limits.js";
import { resolveOutcomes } from "./outcomes.js";
import { resolvePermissions } from "./permissions.js";
import { resolveReplay } from "./recording.js";
import type { Run, RunRequest } from "./run/run.js";
import { startRun } from "./run/start-run.js";
import type { Runner } from "./runner/runner.js";
import { createProcessRunner, createWorkerRunner } from "./runner/runners.js";
import { type ResolvedOptions, resolveOptions, type SandboxOptions } from "./sandbox-options.js";
import { indexTools } from "./tool.js";
import { type EncodedValue, encodeValue } from "./wire/encode-value.js";

export interface Sandbox extends AsyncDisposable {
  /** Of a run that says nothing else. */
  readonly limits: Limits;
  /** Throws for a request that cannot be run; everything else is in the result. */
  run(request: RunRequest): Run;
  /** Ends all runs and all children. */
  close(): Promise<void>;
}

/** A place to run code nobody has read. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const resolved = resolveOptions(options);
  const runner = createRunner(resolved);
  const closing = new AbortController();
  // Every run listens to it.
  setMaxListeners(0, closing.signal);
  return { limits: resolved.limits, run, close, [Symbol.asyncDispose]: close };

  function run(request: RunRequest): Run {
    if (closing.signal.aborted) throw new SandboxError(CLOSED);
    if (typeof request.code !== "string") throw invalidOptions("There is no code to run.");
    const limits = request.limits === undefined ? resolved.limits : resolveLimits(resolved.limits, request.limits);
    const { signal, replay } = request;
    return startRun(
      {
        code: request.code,
        tools: indexTools(request.tools ?? []),
        capabilities: listCapabilities(request.capabilities ?? []),
        context: encodeContext(request.context ?? {}, limits.maxArgumentBytes),
        grant: resolvePermissions(request.permissions ?? resolved.permissions),
        limits,
        recording: resolveReplay(replay),
        outcomes: resolveOutcomes(request.outcomes),
        traceId: resolved.newId(),
        signal: signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]),
        describeAbort: () => (closing.signal.aborted ? CLOSED : ABORTED),
      },
      runner,
    );
  }

  async function close(): Promise<void> {
    closing.abort();
    await runner.close();
  }
}

const CLOSED: Fault = { code: "SANDBOX_CLOSED", message: "The sandbox is closed. Create another one.", details: {} };
const ABORTED: Fault = { code: "SANDBOX_ABORTED", message: "The run was aborted by its signal.", details: {} };

function createRunner({ runner, pool, limits }: ResolvedOptions): Runner {
  if (typeof runner === "object") return runner;
  const create = runner === "process" ? createProcessRunner : createWorkerRunner;
  return create({ pool, memoryMb: limits.memoryMb });
}

function encodeContext(context: Record<string, unknown>, maxBytes: number): EncodedValue {
  const encoding = encodeValue(context, maxBytes);
  if (encoding.ok) return encoding.value;
  throw new SandboxError(refusalFault(encoding.refusal, "context", "argument"));
}
