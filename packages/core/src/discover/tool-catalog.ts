import { describeSchema } from "../model/schema-text.js";
import type { NewTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import { listPastIntents } from "../store/past-intents.js";
import { schemaVectorId } from "../store/tools.js";
import type { Candidate, Query } from "./candidate.js";
import { listExactNames } from "./exact-name.js";
import { fuse } from "./fusion.js";
import { finishInTurns } from "./in-turns.js";
import { IntentMemory } from "./intent-memory.js";
import { judgeRecalled, judgeTools } from "./judge-tools.js";
import { CandidateIndex } from "./ranker-scores.js";
import { recall } from "./recall.js";

export interface RankedTool {
  tool: NewTool;
  /** The probability that it is one that was meant. */
  score: number;
  reason: string;
}

/** Requests that were served, and how many are not any more. */
interface Past {
  requests: number;
  removals: number;
}

/** Requests times tools: up to here making the memory takes less time than a person notices. */
const WAITED_FOR = 100_000;
/** The same for what teaches: some seconds of work. What is beyond only votes. */
const MOST_WORK = 2_000_000;
const MOST_REMEMBERED = 20_000;
/** So much more has to be there before it is made anew. */
const GROWN = 1.1;

function isDue(past: Past, made: Past): boolean {
  if (past.removals > made.removals) return true;
  return past.requests > Math.floor(made.requests * GROWN);
}

/** The tools of a host, made ready to be ranked for intents. Made anew when they change. */
export class ToolCatalog {
  readonly #tools: ReadonlyMap<string, NewTool>;
  readonly #index: CandidateIndex;
  #memory: IntentMemory | undefined;
  /** What there was to remember when the memory was last made. */
  #made: Past = { requests: 0, removals: 0 };
  #making: Promise<void> | undefined;

  /** Tools that were here once: what needs them cannot run. */
  readonly gone: readonly string[];

  private constructor(tools: readonly NewTool[], candidates: readonly Candidate[], gone: readonly string[]) {
    this.gone = gone;
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#index = new CandidateIndex(candidates);
  }

  /** Of tools that are stored: their vectors are there. */
  static async create(
    context: StoreContext,
    tools: readonly NewTool[],
    gone: readonly string[] = [],
  ): Promise<ToolCatalog> {
    const ids = tools.flatMap(({ id }) => [id, schemaVectorId(id)]);
    const vectors = await context.vectors.find("tool", context.scope, ids);
    const candidates = tools.map(({ id, description, inputSchema }) => ({
      id,
      name: id,
      description,
      schemaText: describeSchema(inputSchema),
      vectors: [vectors.get(id), vectors.get(schemaVectorId(id))].filter((each) => each !== undefined),
    }));
    return new ToolCatalog(tools, candidates, gone);
  }

  find(id: string): NewTool | undefined {
    return this.#tools.get(id);
  }

  list(): NewTool[] {
    return [...this.#tools.values()];
  }

  /**
   * Takes in what has been asked for since, when that is much, and at once what was taken back. A small memory is waited
   * for; a large one is made between other work, and until then the one before it answers.
   */
  async remember(context: StoreContext): Promise<void> {
    // What is private to an actor says nothing to others.
    const shared = { ...context, scope: { ...context.scope, actor: "" } };
    const past = {
      requests: await context.vectors.count("intent", shared.scope),
      removals: context.vectors.countRemovals("intent", context.scope),
    };
    if (past.removals > this.#made.removals) this.#memory = undefined;
    if (!isDue(past, this.#made)) return;
    this.#making ??= this.#make(shared, past)
      .catch((error: Error) => context.warn("Past requests were not taken in.", { error: error.name }))
      .finally(() => (this.#making = undefined));
    if (past.requests * this.#tools.size <= WAITED_FOR) await this.#making;
  }

  async #make(context: StoreContext, past: Past): Promise<void> {
    this.#made = past;
    const intents = past.requests === 0 ? [] : await listPastIntents(context, MOST_REMEMBERED);
    const served = intents.map(({ intent, toolIds, vector }) => ({ text: intent, vector, candidateIds: toolIds }));
    const lessons = Math.floor(MOST_WORK / Math.max(1, this.#tools.size));
    const memory = await finishInTurns(IntentMemory.learn(this.#index, served, lessons));
    // What was taken back meanwhile must not come back.
    if (context.vectors.countRemovals("intent", context.scope) === past.removals) this.#memory = memory;
  }

  /** The likeliest first; one that is asked for by its id comes before all. */
  rank(query: Query, limit: number): RankedTool[] {
    const { probabilities, asked } = this.#judge(query);
    const names = new Set(listExactNames(query.text));
    return this.#index.candidates
      .map(({ id }, row) => {
        if (names.has(id.toLowerCase())) return { id, score: 1, reason: "It has this name." };
        return { id, score: probabilities[row] ?? 0, reason: explain(asked.get(row)) };
      })
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, score, reason }) => ({ tool: this.#tools.get(id) as NewTool, score, reason }));
  }

  #judge(query: Query): { probabilities: Float64Array; asked: ReadonlyMap<number, string> } {
    const scores = this.#index.score(query);
    const memory = this.#memory?.score(query, scores);
    if (memory === undefined || memory.density === 0)
      return { probabilities: judgeTools(scores, fuse(scores)), asked: new Map() };
    return { probabilities: judgeRecalled(scores, { scores: recall(memory), memory }), asked: memory.asked };
  }
}

function explain(asked: string | undefined): string {
  return asked === undefined ? "It does what was asked, by its description." : `It served "${asked}".`;
}
