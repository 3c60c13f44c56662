import type { Fault } from "../error.js";
import { limitFault, refusalFault } from "../faults.js";
import { encodeValue } from "../wire/encode-value.js";
import type { Origin } from "../wire/messages.js";
import { createCodedError } from "./coded-error.js";
import type { Session } from "./session.js";

interface Call {
  scope: number;
  tool: string;
  args: unknown;
  origin: Origin;
}

export interface Answer {
  fault?: Fault;
  value: unknown;
}

export interface Calls {
  /** Asks the host. The promise never settles once the run has ended. */
  call(call: Call): Promise<unknown>;
  /** The host's answer. One that nobody waits for is ignored. */
  settle(id: number, answer: Answer): void;
  readonly pending: number;
}

export function createCalls(session: Session): Calls {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let made = 0;
  return {
    call,
    settle,
    get pending() {
      return waiting.size;
    },
  };

  function call({ scope, tool, args, origin }: Call): Promise<unknown> {
    const encoding = encodeValue(args ?? {}, session.limits.maxArgumentBytes);
    if (!encoding.ok) return refuse(refusalFault(encoding.refusal, `arguments of ${tool}`, "argument"));
    if (++made > session.limits.maxToolCalls) return refuse(limitFault("maxToolCalls", session.limits));
    if (waiting.size >= session.limits.maxConcurrentToolCalls)
      return refuse(limitFault("maxConcurrentToolCalls", session.limits));
    const id = session.nextId();
    return new Promise((resolve, reject) => {
      if (session.ended) return;
      waiting.set(id, { resolve, reject });
      session.sendCall({ id, scope, tool, ...origin }, encoding.value);
    });
  }

  function refuse(fault: Fault): Promise<never> {
    if (fault.code === "SANDBOX_VALUE_REFUSED") return Promise.reject(createCodedError(fault));
    session.stop(fault);
    return new Promise(() => {});
  }

  function settle(id: number, { fault, value }: Answer): void {
    const waiter = waiting.get(id);
    if (waiter === undefined || session.ended) return;
    waiting.delete(id);
    if (fault === undefined) waiter.resolve(value);
    else waiter.reject(createCodedError(fault));
  }
}
