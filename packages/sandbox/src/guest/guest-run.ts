import { performance } from "node:perf_hooks";
import { nextTick } from "node:process";
import { setImmediate } from "node:timers";

import type { Fault } from "../error.js";
import { memoryFault, refusalFault } from "../faults.js";
import { decodeValue } from "../wire/decode-value.js";
import { encodeValue } from "../wire/encode-value.js";
import type { RunMessage } from "../wire/messages.js";
import type { Outbox } from "../wire/outbox.js";
import { type Answer, type Calls, createCalls } from "./calls.js";
import { type Clock, createClock } from "./clock.js";
import { createCodedError, describeThrown } from "./coded-error.js";
import type { Compartments } from "./compartments.js";
import { hasOutgrown } from "./heap.js";
import { Lines } from "./lines.js";
import type { Binding } from "./powers.js";
import { createRandom } from "./random.js";
import { Trace } from "./reporter.js";
import { Scopes } from "./scopes.js";
import { Session } from "./session.js";
import { Timers } from "./timers.js";
import { Units } from "./units.js";

/** What a run needs of its child. */
export interface Surroundings {
  outbox: Outbox;
  compartments: Compartments;
  /** The run is over and nothing of it is left to do. */
  onRest: () => void;
}

/** One run in the child: a fresh compartment, and everything in it that leads outside. */
export class GuestRun {
  readonly run: number;
  /** What the powers of code do as long as this run is the current one. */
  readonly binding: Binding;
  readonly #message: RunMessage;
  readonly #surroundings: Surroundings;
  readonly #session: Session;
  readonly #calls: Calls;
  readonly #timers: Timers;
  readonly #lines: Lines;
  readonly #scopes: Scopes;
  #watching = false;

  constructor(message: RunMessage, surroundings: Surroundings) {
    this.run = message.run;
    this.#message = message;
    this.#surroundings = surroundings;
    const clock = createClock(message.replayClock, Date.now, () => this.#session.sendClock());
    this.#session = this.#createSession(clock);
    this.#calls = createCalls(this.#session);
    this.#lines = new Lines(this.#session);
    this.#timers = new Timers({
      session: this.#session,
      onError: (error) => this.reportUncaught(error),
      onTurn: () => this.#watch(),
    });
    this.binding = this.#createBinding(clock);
    this.#scopes = this.#createScopes();
  }

  async start(context: unknown): Promise<void> {
    this.#watch();
    try {
      const result = await this.#scopes.runCode(this.#message.code, context);
      this.#end(() => this.#succeed(result));
    } catch (error) {
      this.#end(() => this.#session.fail(describeThrown(error)));
    }
  }

  settle(id: number, answer: Answer): void {
    this.#calls.settle(id, answer);
    this.#watch();
  }

  /** What code threw where nobody can catch it, such as a rejected promise it never awaited. */
  reportUncaught(error: unknown): void {
    if (!this.#session.ended) this.#lines.log(0, "error", [`Uncaught: ${describeThrown(error).message}`]);
  }

  /** With no answer and no timer to wait for, a run that has not ended by the next turn never will. */
  #watch(): void {
    if (this.#watching || this.#isWaiting()) return;
    this.#watching = true;
    setImmediate(() => {
      this.#watching = false;
      if (!this.#isWaiting()) this.#session.stop(STALLED);
    });
  }

  #isWaiting(): boolean {
    return this.#session.ended || this.#calls.pending > 0 || this.#timers.pending > 0;
  }

  /** The result leaves when the code has nothing more to do; code that never stops is ended by its deadline. */
  #end(report: () => void): void {
    nextTick(this.#surroundings.onRest);
    if (hasOutgrown(this.#session.limits.memoryMb)) this.#session.stop(memoryFault(this.#session.limits));
    else report();
    this.#timers.clearAll();
  }

  #succeed(result: unknown): void {
    const encoding = encodeValue(result, this.#session.limits.maxResultBytes);
    if (encoding.ok) return this.#session.succeed(encoding.value);
    const fault = refusalFault(encoding.refusal, "result of the run", "result");
    return encoding.refusal.reason === "size" ? this.#session.stop(fault) : this.#session.fail(fault);
  }

  #createSession(clock: Clock): Session {
    const { run, limits, hostNow } = this.#message;
    const offset = hostNow - performance.now();
    const now = (): number => performance.now() + offset;
    return new Session({ run, limits, outbox: this.#surroundings.outbox, clock, now });
  }

  #createBinding(clock: Clock): Binding {
    const { clock: hasClock, random, randomSeed, limits } = this.#message;
    return {
      now: hasClock ? clock.now : undefined,
      random: random ? createRandom(randomSeed) : undefined,
      clone: (value) => cloneValue(value, limits.maxResultBytes),
      timers: this.#timers,
    };
  }

  #createScopes(): Scopes {
    const { code, capabilities } = this.#message;
    const { compartments } = this.#surroundings;
    const compartment = compartments.take([code, ...capabilities.map((capability) => capability.code)]);
    return new Scopes({
      session: this.#session,
      calls: this.#calls,
      trace: new Trace(this.#session, this.#message.outcomes),
      lines: this.#lines,
      units: new Units({
        compartment,
        globals: compartments.globals,
        isGlobal: (name) => compartments.isGlobal(name),
        capabilities,
      }),
      globals: compartments.globalView,
    });
  }
}

const STALLED: Fault = {
  code: "SANDBOX_STALLED",
  message: "The code waits for a promise that nothing can settle: no tool call and no timer is pending.",
  details: {},
};

function cloneValue(value: unknown, maxBytes: number): unknown {
  const encoding = encodeValue(value, maxBytes);
  if (encoding.ok) return decodeValue(encoding.value);
  throw createCodedError(refusalFault(encoding.refusal, "structuredClone", "result"));
}
