import type { Link, StartLink } from "./link.js";

export interface PoolOptions {
  /** The most children at a time. */
  size: number;
  /** How many are kept ready. */
  warm: number;
  /** A child is replaced after this many runs, so that nothing it may have gathered stays. */
  maxRuns: number;
}

/** A child that is ours until it is given back. */
export interface Lease {
  link: Link;
  giveBack(reusable: boolean): void;
}

interface Member {
  link: Link;
  memoryMb: number;
  runs: number;
  busy: boolean;
}

interface Waiter {
  memoryMb: number;
  take(member: Member): void;
  refuse(error: Error): void;
}

/** Children that have been started before they are needed. Each serves one run at a time. */
export class Pool {
  readonly #start: StartLink;
  readonly #options: PoolOptions;
  readonly #warmMemoryMb: number;
  readonly #members = new Set<Member>();
  readonly #waiters: Waiter[] = [];
  #closed = false;

  constructor(start: StartLink, options: PoolOptions, warmMemoryMb: number) {
    this.#start = start;
    this.#options = options;
    this.#warmMemoryMb = warmMemoryMb;
    this.#keepWarm();
  }

  /** A child with a heap of this size, once there is one. Rejects when it cannot start, and with the signal's reason. */
  async lease(memoryMb: number, signal: AbortSignal): Promise<Lease> {
    if (this.#closed) throw new Error("The pool is closed.");
    const member = await this.#acquire(memoryMb, signal);
    member.link.hold();
    const giveBack = (reusable: boolean): void => this.#giveBack(member, reusable);
    try {
      await untilAborted(member.link.ready, signal);
    } catch (error) {
      giveBack(false);
      throw error;
    }
    return { link: member.link, giveBack };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.refuse(new Error("The pool is closed."));
    const members = [...this.#members];
    for (const member of members) {
      // Until they are gone, they are worth waiting for.
      member.link.hold();
      this.#remove(member);
    }
    await Promise.all(members.map(({ link }) => link.gone));
  }

  #acquire(memoryMb: number, signal: AbortSignal): Promise<Member> {
    return new Promise((resolve, reject) => {
      const settle = <T>(settled: (value: T) => void) => {
        return (value: T) => {
          signal.removeEventListener("abort", abort);
          settled(value);
        };
      };
      const waiter: Waiter = { memoryMb, take: settle(resolve), refuse: settle(reject) };
      const abort = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiters.push(waiter);
      this.#serve();
    });
  }

  /** Gives children to those who wait, first come first served. */
  #serve(): void {
    for (let waiter = this.#waiters[0]; waiter !== undefined; waiter = this.#waiters[0]) {
      const member = this.#findFree(waiter.memoryMb);
      if (member === undefined) return;
      this.#waiters.shift();
      member.busy = true;
      member.runs++;
      waiter.take(member);
    }
  }

  #findFree(memoryMb: number): Member | undefined {
    const idle = [...this.#members].filter((member) => !member.busy);
    const fitting = idle.find((member) => member.memoryMb === memoryMb);
    if (fitting !== undefined) return fitting;
    if (this.#members.size < this.#options.size) return this.#add(memoryMb);
    // Full, but one of another size is idle: it makes room.
    if (idle[0] === undefined) return undefined;
    this.#remove(idle[0]);
    return this.#add(memoryMb);
  }

  #giveBack(member: Member, reusable: boolean): void {
    member.busy = false;
    member.link.listen(undefined);
    member.link.release();
    if (!reusable || member.runs >= this.#options.maxRuns) this.#remove(member);
    if (this.#closed) return;
    this.#serve();
    this.#keepWarm();
  }

  #keepWarm(): void {
    const idle = [...this.#members].filter((member) => !member.busy).length;
    const room = this.#options.size - this.#members.size;
    for (let missing = Math.min(this.#options.warm - idle, room); missing > 0; missing--) this.#add(this.#warmMemoryMb);
  }

  #add(memoryMb: number): Member {
    const link = this.#start(memoryMb);
    const member: Member = { link, memoryMb, runs: 0, busy: false };
    this.#members.add(member);
    // One that dies while idle is not offered to anyone.
    void link.gone.then(() => this.#members.delete(member));
    return member;
  }

  #remove(member: Member): void {
    this.#members.delete(member);
    member.link.kill();
  }
}

function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
