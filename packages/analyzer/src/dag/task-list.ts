import type { Guard } from "../structure.js";
import { Ancestry } from "./ancestry.js";
import { type DagTask, listSources } from "./dag.js";
import { idOf, numberOf, withSelf } from "./task-ids.js";

/** A task that is not in the list yet. `after` has the numbers of tasks that only have to come before it. */
export type Draft = Omit<DagTask, "id" | "dependsOn"> & { readonly after?: ReadonlySet<number> };

/** The tasks of a DAG while it is written, and who waits for whom. */
export class TaskList {
  readonly tasks: DagTask[] = [];
  readonly ancestry: Ancestry = new Ancestry();
  /** For each task, what only has to come before it. */
  readonly #waits: ReadonlySet<number>[] = [];

  /** Adds a task, with what it needs and what only has to come before it. */
  add({ after = new Set(), ...draft }: Draft): string {
    const id = `t${this.tasks.length + 1}`;
    const task = { ...draft, arguments: withSelf(draft.arguments, id) as DagTask["arguments"] };
    const sources = [...listSources(task.arguments), ...(task.forEach ? listSources(task.forEach.items) : [])];
    const needed = [...sources.filter((source) => source !== id), ...(task.when ? [task.when.decision] : [])].map(
      numberOf,
    );
    const latest = this.ancestry.without(after, new Set([...needed, ...after]));
    const dependsOn = [...new Set([...needed, ...latest])].sort((a, b) => a - b).map(idOf);
    this.ancestry.add([...needed, ...after]);
    this.#waits.push(after);
    this.tasks.push({ id, ...task, dependsOn });
    return id;
  }

  /** What never runs in the same run need not be waited for; what it waits for does. */
  withoutExclusive(tasks: Iterable<number>, when: Guard | undefined): Set<number> {
    const kept = new Set<number>();
    for (const task of tasks) {
      const guard = this.tasks[task]?.when;
      const isExclusive = guard !== undefined && guard.decision === when?.decision && guard.outcome !== when.outcome;
      const others = isExclusive ? this.withoutExclusive(this.#waits[task] ?? [], when) : [task];
      for (const other of others) kept.add(other);
    }
    return kept;
  }
}
