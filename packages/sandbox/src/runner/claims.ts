import type { Limits } from "../limits.js";
import type { CallMessage, EventMessage } from "../wire/messages.js";

type Begun = "capability" | "operation";

/**
 * Holds what a child says against what it said before. An honest child never steps outside of this; one that code has
 * taken over could otherwise forge the end of a tool call, or fill the host with steps that nobody counted.
 */
export class Claims {
  readonly #limits: Limits;
  /** How deep each capability call stands; the run's own code is 0. */
  readonly #depths = new Map<number, number>([[0, 0]]);
  readonly #open = new Map<number, Begun>();
  #lastId = 0;
  #steps = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** What no honest child says, if this is such a thing. */
  findLie(message: CallMessage | EventMessage): string | undefined {
    const depth = this.#depths.get(message.scope);
    if (depth === undefined) return "something from a capability that never began";
    if (message.type === "call") return this.#take(message.id);
    return this.#checkEvent(message.event, depth);
  }

  #checkEvent(event: EventMessage["event"], depth: number): string | undefined {
    switch (event.type) {
      case "decision":
        return this.#step();
      case "operation_start":
        return this.#step() ?? this.#begin(event.id, "operation");
      case "operation_end":
        return this.#end(event.id, "operation");
      case "capability_start":
        if (depth >= this.#limits.maxCapabilityDepth) return "a capability deeper than any may be";
        this.#depths.set(event.id, depth + 1);
        return this.#step() ?? this.#begin(event.id, "capability");
      case "capability_end":
        return this.#end(event.id, "capability");
      default:
        return undefined;
    }
  }

  #step(): string | undefined {
    return ++this.#steps > this.#limits.maxTraceEvents ? "more steps than a run may report" : undefined;
  }

  #take(id: number): string | undefined {
    if (id <= this.#lastId) return "something new under a used id";
    this.#lastId = id;
    return undefined;
  }

  #begin(id: number, what: Begun): string | undefined {
    this.#open.set(id, what);
    return this.#take(id);
  }

  #end(id: number, what: Begun): string | undefined {
    if (this.#open.get(id) !== what) return `the end of a ${what} that never began`;
    this.#open.delete(id);
    return undefined;
  }
}
