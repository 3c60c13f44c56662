import { setMaxListeners } from "node:events";

import type { Fault } from "../error.js";
import { limitFault, refusalFault } from "../faults.js";
import type { Limits } from "../limits.js";
import type { GuestCall, Reply } from "../runner/runner.js";
import type { ToolCallContext } from "../tool.js";
import { copyValue } from "../wire/copy-value.js";
import { describeError } from "../wire/describe-error.js";
import { encodeValue } from "../wire/encode-value.js";
import { Signpost, type SignpostOptions } from "./signpost.js";
import type { CallPlace, Trace } from "./trace.js";

export interface GateOptions extends SignpostOptions {
  limits: Limits;
  trace: Trace;
}

const OVER = new Error("The run is over.");

/** The one door out of a run: every call comes through here, is counted, checked, made and reported. */
export class ToolGate {
  readonly #options: GateOptions;
  readonly #signpost: Signpost;
  #ending: AbortController | undefined;
  #closed = false;
  /** What tools threw, by the call's trace id. */
  readonly #failures = new Map<string, unknown>();
  #calls = 0;
  #answeredBytes = 0;
  #open = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#signpost = new Signpost(options);
  }

  get calls(): number {
    return this.#calls;
  }

  /** The run is over: tools that are still at work may stop. */
  close(): void {
    this.#closed = true;
    if (this.#open > 0) this.#ending?.abort(OVER);
  }

  /** The host's own error behind a fault that went through the code and came out again. */
  findCause({ code, details }: Fault): unknown {
    return code === "SANDBOX_TOOL_FAILED" ? this.#failures.get(String(details["traceId"])) : undefined;
  }

  async call(call: GuestCall): Promise<Reply> {
    const { limits, trace } = this.#options;
    // The child counts too, but what decides must not be within reach of the code.
    if (++this.#calls > limits.maxToolCalls) return fatal(limitFault("maxToolCalls", limits));
    if (this.#open >= limits.maxConcurrentToolCalls) return fatal(limitFault("maxConcurrentToolCalls", limits));
    this.#open++;
    const place = trace.startCall(call);
    const { reply, result } = await this.#answer(call, place);
    this.#open--;
    trace.endCall(call.id, reply.ok ? { result } : { error: reply.fault });
    return reply;
  }

  async #answer(call: GuestCall, place: CallPlace): Promise<{ reply: Reply; result?: unknown }> {
    const tool = this.#options.tools.get(call.tool);
    if (tool === undefined) return { reply: { ok: false, fault: this.#signpost.notFound(call.tool) } };
    if (!this.#options.grant.allows(tool)) return { reply: { ok: false, fault: this.#signpost.denied(call.tool) } };
    try {
      // A copy: the event that holds the arguments must not change with what the tool does to them.
      const result = await tool.call(copyValue(call.args), this.#createContext(call, place));
      return { reply: this.#encode(call.tool, result), result };
    } catch (error) {
      this.#failures.set(place.traceId, error);
      return { reply: { ok: false, fault: failed(call.tool, error, place.traceId) } };
    }
  }

  /** Most tools do not look at the signal, so it is made for the first that does. */
  #createContext({ clock }: GuestCall, place: CallPlace): ToolCallContext {
    const listen = (): AbortSignal => this.#listen();
    return {
      ...place,
      clock,
      get signal() {
        return listen();
      },
    };
  }

  /** All tools of a run share it: Node would warn of so many listeners. */
  #listen(): AbortSignal {
    if (this.#ending === undefined) {
      this.#ending = new AbortController();
      setMaxListeners(0, this.#ending.signal);
      if (this.#closed) this.#ending.abort(OVER);
    }
    return this.#ending.signal;
  }

  #encode(tool: string, result: unknown): Reply {
    const { limits } = this.#options;
    const encoding = encodeValue(result, limits.maxResultBytes);
    if (encoding.ok) {
      this.#answeredBytes += encoding.bytes;
      if (this.#answeredBytes > limits.maxInputBytes) return fatal(limitFault("maxInputBytes", limits));
      return { ok: true, value: encoding.value };
    }
    const fault = refusalFault(encoding.refusal, `result of ${tool}`, "result");
    return encoding.refusal.reason === "size" ? fatal(fault) : { ok: false, fault };
  }
}

function fatal(fault: Fault): Reply {
  return { ok: false, fault, fatal: true };
}

function failed(tool: string, error: unknown, traceId: string): Fault {
  const { name, message } =
    typeof error === "object" && error !== null ? describeError(error) : { name: "Error", message: String(error) };
  return {
    code: "SANDBOX_TOOL_FAILED",
    message: `The tool "${tool}" failed: ${message}`,
    details: { tool, name, message, traceId },
  };
}
