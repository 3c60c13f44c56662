/**
 * Calls under way, in any run of a memory, that may change something. What was read before one of them began may not be
 * what is there after it, so nothing is read ahead of time meanwhile, and what was is thrown away.
 */
export class Effects {
  readonly #watchers = new Set<() => void>();
  #open = 0;

  get areUnderWay(): boolean {
    return this.#open > 0;
  }

  /** Calls back whenever something begins or has ended. Returns how to stop. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  async around<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#open++;
    this.#tell();
    try {
      return await call();
    } finally {
      this.#open--;
      this.#tell();
    }
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
