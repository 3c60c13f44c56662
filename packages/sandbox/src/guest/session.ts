import type { Fault } from "../error.js";
import type { Limits } from "../limits.js";
import type { EncodedValue } from "../wire/encode-value.js";
import { type GuestMessage, type Origin, writeCall, writeMessage } from "../wire/messages.js";
import type { Outbox } from "../wire/outbox.js";
import type { Clock } from "./clock.js";

export interface SessionOptions {
  run: number;
  limits: Limits;
  outbox: Outbox;
  clock: Clock;
  /** Milliseconds, on the host's scale. */
  now: () => number;
}

type Unsent<T> = T extends GuestMessage ? Omit<T, "run"> : never;

/** One run's end of the channel. Once ended it says nothing more, whatever the code goes on doing. */
export class Session {
  readonly limits: Limits;
  readonly now: () => number;
  droppedEvents = 0;
  readonly #options: SessionOptions;
  #lastId = 0;
  #ended = false;

  constructor(options: SessionOptions) {
    this.limits = options.limits;
    this.now = options.now;
    this.#options = options;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Identifies calls, capabilities and operations; 0 is the run itself. */
  nextId(): number {
    return ++this.#lastId;
  }

  send(message: Unsent<GuestMessage>, value?: EncodedValue): void {
    if (this.#ended) return;
    this.#options.outbox.put(writeMessage({ ...message, run: this.#options.run } as GuestMessage, value));
  }

  /** `at` and the clock are added here. */
  sendCall(call: { id: number; scope: number; tool: string } & Origin, args: EncodedValue): void {
    if (this.#ended) return;
    const { run, outbox, now } = this.#options;
    outbox.put(writeCall({ type: "call", run, at: now(), ...call, ...this.takeClock() }, args));
  }

  /** For what must be seen even if the code never gives way again. */
  sendNow(message: Unsent<GuestMessage>, value?: EncodedValue): void {
    this.send(message, value);
    this.#options.outbox.flush();
  }

  sendClock(): void {
    this.sendNow({ type: "clock", clock: this.#options.clock.takeReadings() });
  }

  succeed(value: EncodedValue): void {
    this.#end({}, value);
  }

  fail(fault: Fault): void {
    this.#end({ fault });
  }

  /** A limit is reached: the host replaces this child, and has to hear of it even if the code never gives way. */
  stop(fault: Fault): void {
    this.#end({ fault, fatal: true });
    this.#options.outbox.flush();
  }

  /** Clock readings for the next message, if there are any. */
  takeClock(): { clock?: ReturnType<Clock["takeReadings"]> } {
    const clock = this.#options.clock.takeReadings();
    return clock.length === 0 ? {} : { clock };
  }

  #end(outcome: { fault?: Fault; fatal?: boolean }, value?: EncodedValue): void {
    this.send({ type: "done", droppedEvents: this.droppedEvents, ...this.takeClock(), ...outcome }, value);
    this.#ended = true;
  }
}
