import type { Fault } from "../error.js";
import { limitFault, timeoutFault } from "../faults.js";
import { type ClockReading, observeClock } from "../recording.js";
import {
  type CallMessage,
  type EventMessage,
  type GuestMessage,
  type Origin,
  type RunMessage,
  writeMessage,
  writeReply,
} from "../wire/messages.js";
import { createOutbox, type Outbox } from "../wire/outbox.js";
import { readGuestMessage } from "../wire/read-guest-message.js";
import { exitFault, protocolFault } from "./child-faults.js";
import { Claims } from "./claims.js";
import type { Link } from "./link.js";
import type { Outcome, Powers, Program } from "./runner.js";

/** A message around a value. */
const FRAME_OVERHEAD = 64 * 1024;

export interface SessionRequest {
  run: number;
  program: Program;
  powers: Powers;
  link: Link;
  /** Gives the child back; true if it may serve another run. */
  leave: (reusable: boolean) => void;
  now: () => number;
}

/** One run in one child, as the host sees it. */
export class RunSession {
  /** What came of the run. */
  readonly outcome: Promise<Outcome>;
  readonly #request: SessionRequest;
  readonly #outbox: Outbox;
  readonly #claims: Claims;
  readonly #clock: ClockReading[] = [];
  #settle!: (outcome: Outcome) => void;
  readonly #deadline: NodeJS.Timeout;
  /** How much the child has sent. */
  #received = 0;
  #over = false;

  constructor(request: SessionRequest) {
    this.#request = request;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { link, powers, program } = request;
    this.#claims = new Claims(program.limits);
    this.#outbox = createOutbox(
      (text) => link.write(text),
      (flush) => process.nextTick(flush),
    );
    this.#deadline = setTimeout(() => this.#end(timeoutFault(program.limits)), program.limits.timeoutMs);
    powers.signal.addEventListener("abort", this.#onAbort, { once: true });
    link.listen(
      { onFrame: (frame) => this.#receive(frame), onExit: (exit) => this.#end(exitFault(exit, program.limits)) },
      Math.max(program.limits.maxArgumentBytes, program.limits.maxResultBytes) + FRAME_OVERHEAD,
    );
    this.#start();
    if (powers.signal.aborted) this.#onAbort();
  }

  /** A run of which nothing was ever heard has done nothing either. */
  get isSilent(): boolean {
    return this.#received === 0;
  }

  #start(): void {
    const { run, program, now } = this.#request;
    const { code, capabilities, limits, clock, random, recording, outcomes } = program;
    const message: RunMessage = {
      type: "run",
      run,
      code,
      capabilities: [...capabilities],
      limits,
      clock,
      random,
      randomSeed: recording.randomSeed,
      replayClock: recording.clock,
      ...(outcomes !== undefined && { outcomes }),
      hostNow: now(),
    };
    this.#request.link.write(`${writeMessage(message, program.context)}\n`);
  }

  #receive(frame: string): void {
    const { run, program } = this.#request;
    // With its result, a run loses its tools and its voice.
    if (this.#over) return undefined;
    this.#received += frame.length;
    if (this.#received > program.limits.maxOutputBytes) return this.#end(limitFault("maxOutputBytes", program.limits));
    const received = readGuestMessage(frame);
    if (received === undefined || received.message.type === "ready" || received.message.run !== run)
      return this.#end(protocolFault("a message no child sends"));
    return this.#obey(received.message, received.value);
  }

  #obey(message: Exclude<GuestMessage, { type: "ready" }>, value: unknown): void {
    const lie = message.type === "call" || message.type === "event" ? this.#claims.findLie(message) : undefined;
    if (lie !== undefined) return this.#end(protocolFault(lie));
    if (message.type === "event") return this.#observe(message, value);
    observeClock(this.#clock, message.clock ?? []);
    if (message.type === "clock") return undefined;
    if (message.type === "call") return void this.#call(message, value);
    const { fault, droppedEvents } = message;
    const outcome = fault === undefined ? ({ ok: true, value } as const) : ({ ok: false, fault } as const);
    return this.#finish({ ...outcome, droppedEvents, clock: this.#clock }, message.fatal !== true);
  }

  #observe(message: EventMessage, value: unknown): void {
    const { event, scope, at } = message;
    const fault = this.#request.powers.observe({ event, scope, at, origin: originOf(message), value });
    if (fault !== undefined) this.#end(fault);
  }

  async #call(message: CallMessage, args: unknown): Promise<void> {
    const { id, scope, tool, at, clock = [] } = message;
    const reply = await this.#request.powers.call({ id, scope, tool, args, origin: originOf(message), at, clock });
    if (this.#over) return;
    const { run } = this.#request;
    if (reply.ok) this.#outbox.put(writeReply(run, id, reply.value));
    else if (reply.fatal === true) this.#end(reply.fault);
    else this.#outbox.put(writeMessage({ type: "reply", run, id, fault: reply.fault }));
  }

  readonly #onAbort = (): void => {
    this.#end({ code: "SANDBOX_ABORTED", message: "The run was aborted by its signal.", details: {} });
  };

  /** Ends the run from outside; its child is not used again. */
  #end(fault: Fault): void {
    this.#finish({ ok: false, fault, droppedEvents: 0, clock: this.#clock }, false);
  }

  #finish(outcome: Outcome, reusable: boolean): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#deadline);
    this.#request.powers.signal.removeEventListener("abort", this.#onAbort);
    // First the child, so that whoever waits for the outcome finds it free.
    this.#request.leave(reusable);
    this.#settle(outcome);
  }
}

function originOf({ nodeId, iteration }: Origin): Origin {
  if (nodeId === undefined && iteration === undefined) return {};
  return { ...(nodeId !== undefined && { nodeId }), ...(iteration && { iteration }) };
}
