import {
  encodeValue,
  decodeValue,
  type Fault,
  type Limits,
  limitFault,
  refusalFault,
  SandboxError,
  timeoutFault,
} from "@pml/sandbox";

import { PmlError } from "../model/error.js";

const ABORTED: Fault = { code: "SANDBOX_ABORTED", message: "The run was aborted by its signal.", details: {} };

/** Holds a run as a DAG to what the sandbox holds code to: it goes past it. */
export class DagGuard {
  readonly #limits: Limits;
  readonly #ending = new AbortController();
  readonly #release: () => void;
  #calls = 0;
  #answeredBytes = 0;

  constructor(limits: Limits, given: AbortSignal) {
    this.#limits = limits;
    const timer = setTimeout(() => this.#end(timeoutFault(limits)), limits.timeoutMs);
    const onAbort = (): void => void this.#end(ABORTED);
    given.addEventListener("abort", onAbort, { once: true });
    if (given.aborted) onAbort();
    this.#release = () => {
      clearTimeout(timer);
      given.removeEventListener("abort", onAbort);
    };
  }

  /** Aborts when the run has to end, with what it ends by as the reason. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Makes a call of a tool: counted, with copies of what goes in and comes out, its failure in the words of the sandbox. */
  async call<Result>(tool: string, input: unknown, work: (input: unknown) => Promise<Result>): Promise<unknown> {
    if (++this.#calls > this.#limits.maxToolCalls) throw this.#end(limitFault("maxToolCalls", this.#limits));
    const given = this.#copy(input, `arguments of ${tool}`, "argument");
    try {
      return this.#copy(await work(given), `result of ${tool}`, "result");
    } catch (error) {
      throw this.signal.aborted ? this.signal.reason : describeFailed(tool, error);
    }
  }

  /** The run is over. */
  close(): void {
    this.#release();
  }

  #copy(value: unknown, what: string, side: "argument" | "result"): unknown {
    if (value === undefined) return undefined;
    const { maxArgumentBytes, maxResultBytes, maxInputBytes } = this.#limits;
    const encoding = encodeValue(value, side === "argument" ? maxArgumentBytes : maxResultBytes);
    if (!encoding.ok) {
      const fault = refusalFault(encoding.refusal, what, side);
      throw encoding.refusal.reason === "size" ? this.#end(fault) : new SandboxError(fault);
    }
    if (side === "result") this.#answeredBytes += encoding.bytes;
    if (this.#answeredBytes > maxInputBytes) throw this.#end(limitFault("maxInputBytes", this.#limits));
    return decodeValue(encoding.value);
  }

  #end(fault: Fault): SandboxError {
    const error = new SandboxError(fault);
    this.#ending.abort(error);
    return error;
  }
}

/** What we refused is said as it is; what a tool threw may have any code, or be no error at all. */
function describeFailed(tool: string, error: unknown): Error {
  if (error instanceof PmlError || error instanceof SandboxError) return error;
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return new SandboxError(
    {
      code: "SANDBOX_TOOL_FAILED",
      message: `The tool "${tool}" failed: ${message}`,
      details: { tool, name, message },
    },
    { cause: error },
  );
}
