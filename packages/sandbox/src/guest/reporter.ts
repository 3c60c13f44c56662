import { types } from "node:util";

import type { Outcomes } from "../outcomes.js";
import { shorten } from "../wire/describe-error.js";
import type { EncodedValue } from "../wire/encode-value.js";
import type { GuestEvent, Origin } from "../wire/messages.js";
import type { Session } from "./session.js";

const MAX_NAME = 200;
const MAX_ITERATIONS = 16;

/** What instrumented code reports. Nothing here throws, whatever it is given. */
export interface Reporter {
  announce(nodeId: unknown, iteration: unknown): void;
  decision(nodeId: unknown, outcome: unknown, iteration: unknown): void;
  /** Absent where nothing is chosen. */
  choose?(nodeId: unknown): string | undefined;
  start(nodeId: unknown, operation: unknown, iteration: unknown): number;
  end(token: unknown): void;
}

/** Sends trace events until `maxTraceEvents`; the rest is counted and dropped, since code should not fail for it. */
export class Trace {
  readonly #session: Session;
  readonly #outcomes: ReadonlyMap<string, string> | undefined;
  readonly #openOperations = new Set<number>();
  #sent = 0;
  #announced: Origin = {};

  constructor(session: Session, outcomes?: Outcomes) {
    this.#session = session;
    this.#outcomes = outcomes && new Map(Object.entries(outcomes));
  }

  /** True if there was room for it. */
  emit(scope: number, event: GuestEvent, extra: { origin?: Origin; value?: EncodedValue } = {}): boolean {
    if (++this.#sent > this.#session.limits.maxTraceEvents) {
      this.#session.droppedEvents++;
      return false;
    }
    this.#session.send({ type: "event", scope, at: this.#session.now(), event, ...extra.origin }, extra.value);
    return true;
  }

  /** The end of what had a start always has room. */
  close(scope: number, event: GuestEvent, value?: EncodedValue): void {
    this.#session.send({ type: "event", scope, at: this.#session.now(), event }, value);
  }

  /** Where the next call stands, said just before it was made. */
  takeAnnounced(): Origin {
    const origin = this.#announced;
    this.#announced = {};
    return origin;
  }

  /** `place`: the nodes that lead to the scope, each with a slash after it. */
  createReporter(scope: number, place: string): Reporter {
    const outcomes = this.#outcomes;
    return Object.freeze({
      announce: (nodeId: unknown, iteration: unknown) => {
        this.#announced = readOrigin(nodeId, iteration);
      },
      decision: (nodeId: unknown, outcome: unknown, iteration: unknown) => {
        const event = { type: "decision", outcome: readName(outcome) ?? "" } as const;
        this.emit(scope, event, { origin: readOrigin(nodeId, iteration) });
      },
      start: (nodeId: unknown, operation: unknown, iteration: unknown) =>
        this.#startOperation(scope, readName(operation) ?? "", readOrigin(nodeId, iteration)),
      end: (token: unknown) => {
        if (this.#openOperations.delete(token as number))
          this.close(scope, { type: "operation_end", id: token as number });
      },
      ...(outcomes !== undefined && {
        choose: (nodeId: unknown) => (typeof nodeId === "string" ? outcomes.get(place + nodeId) : undefined),
      }),
    });
  }

  #startOperation(scope: number, operation: string, origin: Origin): number {
    const id = this.#session.nextId();
    if (this.emit(scope, { type: "operation_start", id, operation }, { origin })) this.#openOperations.add(id);
    return id;
  }
}

function readOrigin(nodeId: unknown, iteration: unknown): Origin {
  const name = readName(nodeId);
  const numbers = readIteration(iteration);
  return { ...(name !== undefined && { nodeId: name }), ...(numbers.length > 0 && { iteration: numbers }) };
}

function readName(value: unknown): string | undefined {
  return typeof value === "string" ? shorten(value, MAX_NAME) : undefined;
}

function readIteration(value: unknown): number[] {
  if (types.isProxy(value) || !Array.isArray(value)) return [];
  return Array.from({ length: Math.min(value.length, MAX_ITERATIONS) }, (_, index) => {
    const item: unknown = Object.getOwnPropertyDescriptor(value, index)?.value;
    return typeof item === "number" && Number.isFinite(item) ? item : 0;
  });
}
