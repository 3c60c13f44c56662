/** Who waits for whom, directly or not. */
export class Ancestry {
  readonly #order: string[] = [];
  readonly #ancestors = new Map<string, Set<string>>();

  /**
   * What a new task waits for: all it needs, and of what only has to come before it, what is not waited for anyway. In
   * the order in which the tasks came.
   */
  reduce(id: string, needed: ReadonlySet<string>, before: readonly string[]): string[] {
    const all = new Set([...needed, ...before]);
    const implied = new Set<string>();
    for (const parent of all) for (const ancestor of this.#ancestors.get(parent) ?? []) implied.add(ancestor);
    const kept = new Set([...all].filter((each) => needed.has(each) || !implied.has(each)));
    const result = this.#order.filter((each) => kept.has(each));
    this.#order.push(id);
    this.#ancestors.set(id, new Set([...all, ...implied]));
    return result;
  }
}
