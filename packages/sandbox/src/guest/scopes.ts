import type { Fault } from "../error.js";
import { refusalFault } from "../faults.js";
import { decodeValue } from "../wire/decode-value.js";
import { type EncodedValue, encodeValue } from "../wire/encode-value.js";
import type { Origin, UnitMessage } from "../wire/messages.js";
import type { Calls } from "./calls.js";
import { createCodedError, describeThrown } from "./coded-error.js";
import { createCapabilities, createMcp } from "./doors.js";
import type { Lines } from "./lines.js";
import type { Trace } from "./reporter.js";
import type { Session } from "./session.js";
import type { ScopeNames, Units } from "./units.js";

export interface ScopeOptions {
  session: Session;
  calls: Calls;
  trace: Trace;
  lines: Lines;
  units: Units;
  globals: object;
}

/** The run's own code or one call of a capability: what happens in it is reported under its id. */
interface Scope {
  id: number;
  /** The capabilities it stands in, outermost first. */
  path: string[];
  /** The nodes that lead to it, each with a slash after it. */
  place: string;
}

/** Gives each unit its own `mcp`, `capabilities`, `console` and `pml`, and so knows who called whom, however async. */
export class Scopes {
  readonly #options: ScopeOptions;

  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  async runCode(code: string, args: unknown): Promise<unknown> {
    return this.#options.units.run({ code }, this.#bind({ id: 0, path: [], place: "" }, args));
  }

  #bind(scope: Scope, args: unknown): ScopeNames {
    const { calls, trace, lines, globals } = this.#options;
    const call = (tool: string, args: unknown): Promise<unknown> =>
      calls.call({ scope: scope.id, tool, args, origin: trace.takeAnnounced() });
    const capabilities = createCapabilities((name, args) => this.#invoke(scope, name, args));
    return {
      args,
      context: args,
      mcp: createMcp(call, capabilities),
      capabilities,
      pml: lines.createPml(scope.id),
      console: lines.createConsole(scope.id),
      globalThis: globals,
      __pmlHost: trace.createReporter(scope.id, scope.place),
    };
  }

  async #invoke(parent: Scope, name: string, args: unknown): Promise<unknown> {
    const { session, calls, trace, units } = this.#options;
    const origin = trace.takeAnnounced();
    const capability = units.find(name);
    // The host answers for names it does not know, and says which are near.
    if (capability === undefined) return calls.call({ scope: parent.id, tool: `cap:${name}`, args: {}, origin });
    const path = [...parent.path, name];
    if (path.length > session.limits.maxCapabilityDepth) return this.#stop(depthFault(path));
    const encoding = encodeValue(args ?? {}, session.limits.maxArgumentBytes);
    if (!encoding.ok) return this.#refuse(refusalFault(encoding.refusal, `arguments of ${name}`, "argument"));
    return this.#run(capability, { parent, path, origin, args: encoding.value });
  }

  async #run(capability: UnitMessage, call: { parent: Scope; path: string[]; origin: Origin; args: EncodedValue }) {
    const { session, trace, units } = this.#options;
    const { name, code, defaults } = capability;
    const args = mergeDefaults(defaults, decodeValue(call.args));
    const id = session.nextId();
    const start = { type: "capability_start", id, capability: name } as const;
    const traced = trace.emit(call.parent.id, start, { origin: call.origin, value: call.args });
    const place = `${call.parent.place}${call.origin.nodeId ?? "?"}/`;
    const scope = { id: traced ? id : call.parent.id, path: call.path, place };
    const end = (fault?: Fault, value?: EncodedValue): void => {
      if (traced) trace.close(call.parent.id, { type: "capability_end", id, ...(fault && { fault }) }, value);
    };
    try {
      const result = await units.run({ name, code }, this.#bind(scope, args));
      const encoding = encodeValue(result, session.limits.maxResultBytes);
      if (!encoding.ok) return await this.#refuse(refusalFault(encoding.refusal, `result of ${name}`, "result"));
      end(undefined, encoding.value);
      return result;
    } catch (error) {
      end(describeThrown(error));
      throw error;
    }
  }

  #refuse(fault: Fault): Promise<never> {
    if (fault.code === "SANDBOX_VALUE_REFUSED") return Promise.reject(createCodedError(fault));
    return this.#stop(fault);
  }

  #stop(fault: Fault): Promise<never> {
    this.#options.session.stop(fault);
    return new Promise(() => {});
  }
}

function mergeDefaults(defaults: Record<string, unknown> | undefined, args: unknown): unknown {
  if (defaults === undefined || typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return { ...structuredDefaults(defaults), ...args };
}

/** A copy for each call: one call must not see what another did to its arguments. */
function structuredDefaults(defaults: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(defaults)) as Record<string, unknown>;
}

function depthFault(path: string[]): Fault {
  const name = path.at(-1) ?? "";
  const earlier = path.lastIndexOf(name, -2);
  const cycle = earlier === -1 ? undefined : path.slice(earlier);
  const what =
    cycle === undefined ? `are nested ${path.length} deep` : `call each other in a circle (${cycle.join(" → ")})`;
  return {
    code: "SANDBOX_CAPABILITY_DEPTH",
    message: `Capabilities ${what}. Flatten them, or raise limits.maxCapabilityDepth.`,
    details: { limit: "maxCapabilityDepth", max: path.length - 1, path: path.slice(0, 50), ...(cycle && { cycle }) },
  };
}
