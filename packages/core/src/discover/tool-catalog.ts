import { describeSchema } from "../model/schema-text.js";
import type { NewTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import { readPastIntents } from "../store/past-intents.js";
import { schemaVectorId } from "../store/tools.js";
import type { Candidate, PastIntent, Query } from "./candidate.js";
import { listExactNames } from "./exact-name.js";
import { fuse } from "./fusion.js";
import { finishInTurns } from "./in-turns.js";
import { IntentMemory } from "./intent-memory.js";
import { judgeRecalled, judgeTools } from "./judge-tools.js";
import { LearnedPast } from "./learned-past.js";
import { MOST_READ, quote } from "./quote.js";
import { CandidateIndex } from "./ranker-scores.js";
import { recall } from "./recall.js";

export interface RankedTool {
  tool: NewTool;
  /** The probability that it is one that was meant. */
  score: number;
  reason: string;
}

/** Requests times tools: up to here making the memory takes less time than a person notices. */
const WAITED_FOR = 50_000;
/** The same for what teaches: some seconds of work. What is beyond only votes. */
const MOST_WORK = 1_000_000;
const MOST_REMEMBERED = 10_000;

/** The tools of a host, made ready to be ranked for intents. Made anew when they change. */
export class ToolCatalog {
  readonly #tools: ReadonlyMap<string, NewTool>;
  readonly #index: CandidateIndex;
  readonly #past = new LearnedPast<IntentMemory>();
  #memory: IntentMemory | undefined;

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

  /** As they are ranked, by their ids. */
  get candidates(): ReadonlyMap<string, Candidate> {
    return new Map(this.#index.candidates.map((candidate) => [candidate.id, candidate]));
  }

  /** Takes in what has been asked for since, when that is much, and at once what was taken back. */
  async remember(context: StoreContext, signal: AbortSignal): Promise<void> {
    const { vectors, warn } = context;
    // What is private to an actor says nothing to others.
    const shared = { ...context, scope: { ...context.scope, actor: "" } };
    const countRemovals = (): number => vectors.countRemovals("intent", context.scope);
    const now = { requests: await vectors.count("intent", shared.scope), removals: countRemovals() };
    this.#memory = await this.#past.follow(now, {
      make: () => this.#learn(shared, signal),
      countRemovals,
      isQuick: now.requests * this.#tools.size <= WAITED_FOR,
      onError: (error) => signal.aborted || warn("Past requests were not taken in.", { error: error.name }),
    });
  }

  /** Takes in all that has been asked for, however long that takes. */
  async rememberAll(context: StoreContext, signal: AbortSignal): Promise<void> {
    this.#memory = await this.#learn({ ...context, scope: { ...context.scope, actor: "" } }, signal);
  }

  async #learn(context: StoreContext, signal: AbortSignal): Promise<IntentMemory> {
    const served: PastIntent[] = [];
    for await (const { intent, toolIds, vector } of readPastIntents(context, MOST_REMEMBERED))
      served.push({ text: intent.slice(0, MOST_READ), vector, candidateIds: toolIds });
    const lessons = Math.floor(MOST_WORK / Math.max(1, this.#tools.size));
    return finishInTurns(IntentMemory.learn(this.#index, served, lessons), signal);
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
  return asked === undefined ? "It does what was asked, by its description." : `It served "${quote(asked)}".`;
}
