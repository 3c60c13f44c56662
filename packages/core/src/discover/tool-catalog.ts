import { describeSchema } from "../model/schema-text.js";
import type { NewTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import { schemaVectorId } from "../store/tools.js";
import type { Candidate, Query } from "./candidate.js";
import { fuse } from "./fusion.js";
import { judgeTools } from "./judge-tools.js";
import { CandidateIndex } from "./ranker-scores.js";

export interface RankedTool {
  tool: NewTool;
  /** The probability that it is one that was meant. */
  score: number;
  reason: string;
}

/** The tools of a host, made ready to be ranked for intents. Made anew when they change. */
export class ToolCatalog {
  readonly #tools: ReadonlyMap<string, NewTool>;
  readonly #index: CandidateIndex;

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

  /** The likeliest first; one that is asked for by its id comes before all. */
  rank(query: Query, limit: number): RankedTool[] {
    const scores = this.#index.score(query);
    const probabilities = judgeTools(scores, fuse(scores));
    const named = query.text.trim().toLowerCase();
    return this.#index.candidates
      .map(({ id }, row) => {
        const isNamed = id.toLowerCase() === named;
        const score = isNamed ? 1 : (probabilities[row] ?? 0);
        return { id, score, reason: isNamed ? "It has this name." : "It does what was asked, by its description." };
      })
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, score, reason }) => ({ tool: this.#tools.get(id) as NewTool, score, reason }));
  }
}
