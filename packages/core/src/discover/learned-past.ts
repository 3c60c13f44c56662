/** How much there is to learn from, and how often something of it was taken back. */
export interface Past {
  readonly requests: number;
  readonly removals: number;
}

export interface PastOptions<Learned> {
  make: () => Promise<Learned>;
  /** As it is by now. */
  countRemovals: () => number;
  /** Whether it is made so fast that whoever asks can wait for it. */
  isQuick: boolean;
  onError: (error: Error) => unknown;
}

/** So much more has to be there before it is made anew. */
const GROWN = 1.1;

/**
 * What was learned from the past, as long as it holds: made anew between other work when there is a tenth more to learn
 * from, and until then the one before answers; dropped at once when something was taken back.
 */
export class LearnedPast<Learned> {
  #learned: Learned | undefined;
  #made: Past = { requests: 0, removals: 0 };
  #making: Promise<void> | undefined;

  /** What holds now. */
  async follow(now: Past, options: PastOptions<Learned>): Promise<Learned | undefined> {
    if (isSmaller(now, this.#made)) this.#learned = undefined;
    if (isSmaller(now, this.#made) || now.requests > Math.floor(this.#made.requests * GROWN))
      this.#making ??= this.#make(now, options).finally(() => (this.#making = undefined));
    if (options.isQuick) await this.#making;
    return this.#learned;
  }

  /** One that fails is not tried again until there is more. */
  async #make(now: Past, { make, countRemovals, onError }: PastOptions<Learned>): Promise<void> {
    this.#made = now;
    try {
      const learned = now.requests === 0 ? undefined : await make();
      // What was taken back meanwhile must not come back.
      if (countRemovals() === now.removals) this.#learned = learned;
    } catch (error) {
      onError(error as Error);
    }
  }
}

function isSmaller(now: Past, made: Past): boolean {
  return now.removals > made.removals || now.requests < made.requests;
}
