import { listExactNames } from "../../discover/exact-name.js";
import type { NewTool } from "../../model/tool.js";
import type { StoreContext } from "../../store/context.js";
import { listOwnWords } from "../../store/own-words.js";
import type { Question } from "./questions.js";
import { sameWords } from "./same-words.js";

export type Leak = "name" | "description";

/** What tools and capabilities say of themselves: whoever asks in these words tests memory of a text, not finding. */
export class Leaks {
  readonly #names = new Set<string>();
  readonly #descriptions = new Set<string>();

  static async read(context: StoreContext, tools: readonly NewTool[], signal: AbortSignal): Promise<Leaks> {
    const leaks = new Leaks();
    for (const { id, description } of tools) leaks.#add(id, [description]);
    for (let after: string | undefined; ;) {
      signal.throwIfAborted();
      const page = await listOwnWords(context, { after, limit: PAGE });
      for (const { name, descriptions } of page) leaks.#add(name, descriptions);
      if (page.length < PAGE) return leaks;
      after = page.at(-1)?.id;
    }
  }

  find({ key, runs }: Question): Leak | undefined {
    const intents = [...new Set(runs.map(({ intent }) => intent))];
    const keys = [key, ...intents.map(sameWords)];
    const spelled = intents.flatMap(listExactNames);
    if ([...keys, ...spelled].some((each) => this.#names.has(each))) return "name";
    return keys.some((each) => this.#descriptions.has(each)) ? "description" : undefined;
  }

  #add(name: string | undefined, descriptions: readonly string[]): void {
    if (name !== undefined) this.#names.add(name.toLowerCase()).add(sameWords(name));
    for (const text of descriptions) if (text.trim() !== "") this.#descriptions.add(sameWords(text));
  }
}

const PAGE = 1000;
