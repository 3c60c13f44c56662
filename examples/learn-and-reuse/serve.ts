import { isDeepStrictEqual } from "node:util";

import type { ExecuteAnswer, Pml } from "@pml/core";

import type { Task, Values } from "./task.js";
import type { World } from "./world.js";

/** How one request was served. */
export interface Served {
  task: string;
  /** Which of the task's wordings it was, in the order in which they came. */
  turn: number;
  intent: string;
  /** `wrote`: a model wrote the code. `reused`: what was learned ran by itself. `wrong`: so did another task's. */
  how: "wrote" | "reused" | "wrong";
  /** Whether what the caller got in the end is right. */
  right: boolean;
  /** Until the memory answered, be it that it knows nothing for it. */
  answeredMs: number;
  /** That a model had to write, or has not had to. */
  characters: number;
  /** Why nothing ran, or what did that should not have. */
  said?: string;
}

/** The same order every time, in which tasks come mixed as they would in an office. */
export function mixRequests(tasks: readonly Task[]): { task: Task; turn: number }[] {
  const queue = tasks.flatMap((task) => task.asked.map(() => task));
  let state = 7;
  for (let last = queue.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (last + 1);
    [queue[last], queue[other]] = [queue[other] as Task, queue[last] as Task];
  }
  const turns = new Map<Task, number>();
  return queue.map((task) => {
    const turn = turns.get(task) ?? 0;
    turns.set(task, turn + 1);
    return { task, turn };
  });
}

/** An agent with a memory. Which capability serves which task is known to the measurement alone. */
export class Agent {
  readonly #pml: Pml;
  readonly #world: World;
  readonly #servedBy = new Map<string, string>();

  constructor(pml: Pml, world: World) {
    this.#pml = pml;
    this.#world = world;
  }

  async serve(task: Task, turn: number): Promise<Served> {
    const [intent, context] = task.asked[turn] ?? ["", {}];
    const expected = task.expect(context as Values, this.#world);
    const served = { task: task.id, turn, intent, characters: writeCode(task, context).length };
    const startedAt = performance.now();
    const answer = await this.#pml.execute({ intent, context, conversation: "office" });
    const answeredMs = performance.now() - startedAt;
    if (answer.status === "suggestions") {
      const written = await this.#write(task, turn);
      return { ...served, how: "wrote", right: isRight(written, expected), answeredMs, said: answer.reason };
    }
    const capabilityId = "capabilityId" in answer ? (answer.capabilityId ?? "") : "";
    const isOwn = this.#servedBy.get(capabilityId) === task.id;
    if (isOwn && isRight(answer, expected)) return { ...served, how: "reused", right: true, answeredMs };
    const said = `${this.#servedBy.get(capabilityId) ?? answer.status} ran`;
    // The caller sees that this is not what was asked for, and has it written after all.
    const written = await this.#write(task, turn);
    return { ...served, how: "wrong", right: isRight(written, expected), answeredMs, said };
  }

  /** Stands for the model. */
  async #write(task: Task, turn: number): Promise<ExecuteAnswer> {
    const [intent, context] = task.asked[turn] ?? ["", {}];
    const code = writeCode(task, context);
    const answer = await this.#pml.execute({ intent, code, context, conversation: "office" });
    if (answer.status === "success" && answer.capabilityId !== undefined)
      this.#servedBy.set(answer.capabilityId, task.id);
    return answer;
  }
}

function isRight(answer: ExecuteAnswer, expected: unknown): boolean {
  return answer.status === "success" && isDeepStrictEqual(answer.result, expected);
}

function writeCode({ code }: Task, context: Partial<Values>): string {
  return typeof code === "string" ? code : code(context as Values);
}
