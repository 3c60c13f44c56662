import type { Fault } from "../error.js";
import { limitFault, refusalFault } from "../faults.js";
import type { Limits } from "../limits.js";
import type { Grant } from "../permissions.js";
import type { GuestCall, Reply } from "../runner/runner.js";
import { CAPABILITY_SERVER, type Tool } from "../tool.js";
import { copyValue } from "../wire/copy-value.js";
import { describeError } from "../wire/describe-error.js";
import { encodeValue } from "../wire/encode-value.js";
import { listNearMatches } from "./near-matches.js";
import type { CallPlace, Trace } from "./trace.js";

export interface GateOptions {
  tools: ReadonlyMap<string, Tool>;
  capabilityNames: readonly string[];
  grant: Grant;
  limits: Limits;
  trace: Trace;
}

/** The one door out of a run: every call comes through here, is counted, checked, made and reported. */
export class ToolGate {
  readonly #options: GateOptions;
  /** Made for the first tool that is called. */
  #ending: AbortController | undefined;
  /** What tools threw, by the call's trace id. */
  readonly #failures = new Map<string, unknown>();
  #calls = 0;
  #answeredBytes = 0;
  #open = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get calls(): number {
    return this.#calls;
  }

  /** The run is over: tools that are still at work may stop. */
  close(): void {
    if (this.#open > 0) this.#ending?.abort(new Error("The run is over."));
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
    if (tool === undefined) return { reply: { ok: false, fault: this.#notFound(call.tool) } };
    if (!this.#options.grant.allows(tool)) return { reply: { ok: false, fault: this.#denied(call.tool) } };
    this.#ending ??= new AbortController();
    const { signal } = this.#ending;
    try {
      // A copy: the event that holds the arguments must not change with what the tool does to them.
      const result = await tool.call(copyValue(call.args), { ...place, clock: call.clock, signal });
      return { reply: this.#encode(call.tool, result), result };
    } catch (error) {
      this.#failures.set(place.traceId, error);
      return { reply: { ok: false, fault: failed(call.tool, error, place.traceId) } };
    }
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

  #notFound(id: string): Fault {
    const prefix = `${CAPABILITY_SERVER}:`;
    if (id.startsWith(prefix)) return this.#capabilityNotFound(id.slice(prefix.length));
    const suggestions = this.#suggestTools(id);
    return {
      code: "SANDBOX_TOOL_NOT_FOUND",
      message: `There is no tool "${id.slice(0, 200)}".${didYouMean(suggestions)}`,
      details: { tool: id.slice(0, 200), suggestions },
    };
  }

  #capabilityNotFound(name: string): Fault {
    const names = this.#options.capabilityNames;
    const actions = names.filter((each) => each.startsWith(`${name}:`));
    const suggestions = actions.length > 0 ? actions.slice(0, 3) : listNearMatches(name, names);
    const what = actions.length > 0 ? "is a namespace, not a capability" : "is no capability";
    return {
      code: "SANDBOX_CAPABILITY_NOT_FOUND",
      message: `"${name.slice(0, 200)}" ${what}.${didYouMean(suggestions)}`,
      details: { capability: name.slice(0, 200), suggestions },
    };
  }

  #denied(id: string): Fault {
    const { name } = this.#options.grant;
    const suggestions = this.#suggestTools(id);
    return {
      code: "SANDBOX_TOOL_DENIED",
      message: `The permission set "${name}" of this run does not allow "${id}".${didYouMean(suggestions)}`,
      details: { tool: id, permissions: name, suggestions },
    };
  }

  /** Only what the run may call: anything else would be a dead end. */
  #suggestTools(id: string): string[] {
    const { tools, grant } = this.#options;
    const allowed = [...tools.values()].filter((tool) => grant.allows(tool)).map((tool) => tool.id);
    return listNearMatches(id, allowed);
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

function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? "" : ` Did you mean ${suggestions.map((each) => `"${each}"`).join(" or ")}?`;
}
