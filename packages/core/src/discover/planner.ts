import type { StoreContext } from "../store/context.js";
import { readPastRuns, type StoredPastRun } from "../store/past-runs.js";
import type { Candidate } from "./candidate.js";
import { FlowMemory, type FlowTool } from "./flow-memory.js";
import { finishInTurns } from "./in-turns.js";
import { LearnedPast } from "./learned-past.js";
import { pickLessons } from "./lessons.js";
import { type Clause, listClauses } from "./mention-order.js";
import { NextMemory, type NextRequest, type PastRun } from "./next-memory.js";
import type { PlanMemory } from "./plan-memory.js";
import { MOST_READ } from "./quote.js";
import type { ToolCatalog } from "./tool-catalog.js";

/** What past requests took, in which order, and what fed what. */
export interface Planning {
  /** In the order in which the others know them. */
  readonly tools: readonly FlowTool[];
  readonly plans: PlanMemory;
  readonly next: NextMemory;
  readonly flows: FlowMemory;
}

export interface PlannerOptions {
  catalog: ToolCatalog;
  /** The schemas of a tool; what it hands back may have been learned from results. */
  describe: (id: string) => Pick<FlowTool, "inputSchema" | "outputSchema">;
  signal: AbortSignal;
}

/** With fewer requests than this, what tools are described as says more. */
const ENOUGH = 20;
/** The latest of each: what bounds time and memory. */
const [MOST_RUNS, MOST_TOOLS] = [2500, 250];
/** Of one run: code that calls more tools teaches no plan. */
const MOST_STEPS = 30;
/** Clauses that are embedded at once: the host's own texts go between. */
const PAGE = 16;

/** Makes a `Planning` of a project's past, between other work; nobody waits for it. */
export class Planner {
  readonly #past = new LearnedPast<Planning | undefined>();
  readonly #options: PlannerOptions;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  get catalog(): ToolCatalog {
    return this.#options.catalog;
  }

  /** What was learned, if there is enough of a past, and it has been looked at. */
  async follow(context: StoreContext): Promise<Planning | undefined> {
    const { vectors, warn } = context;
    const { signal } = this.#options;
    // What is private to an actor says nothing to others.
    const shared = { ...context, scope: { ...context.scope, actor: "" } };
    const countRemovals = (): number => vectors.countRemovals("intent", context.scope);
    const requests = await vectors.count("intent", shared.scope);
    const now = { requests: requests < ENOUGH ? 0 : requests, removals: countRemovals() };
    return this.#past.follow(now, {
      make: () => this.#learn(shared),
      countRemovals,
      isQuick: false,
      onError: (error) => signal.aborted || warn("Plans were not learned from.", { error: error.name }),
    });
  }

  async #learn(context: StoreContext): Promise<Planning | undefined> {
    const { catalog, describe, signal } = this.#options;
    const { candidates } = catalog;
    const stored = (await readPastRuns(context, MOST_RUNS)).filter(({ tools }) => tools.length > 0);
    if (stored.length < ENOUGH) return undefined;
    const ids = [...new Set(stored.flatMap(({ tools }) => tools))].filter((id) => candidates.has(id));
    const tools = ids
      .slice(0, MOST_TOOLS)
      .map((id): FlowTool => ({ ...(candidates.get(id) as Candidate), ...describe(id) }));
    const runs = await describeRuns(context, stored);
    const flows = await finishInTurns(FlowMemory.learn(tools, runs), signal);
    const next = await finishInTurns(NextMemory.learn(tools, runs.map(forgetNoFlows)), signal);
    return { tools, plans: next.plans, next, flows };
  }
}

/** A request with its parts, all of them with vectors. */
export async function askInParts({ vectors }: StoreContext, intent: string): Promise<NextRequest> {
  const parts = listClauses(intent.slice(0, MOST_READ)).slice(0, PAGE);
  const [vector, ...partVectors] = await vectors.embed([intent, ...parts]);
  return {
    text: intent,
    vector: vector as Float32Array,
    clauses: parts.map((text, at) => ({ text, vector: partVectors[at] as Float32Array })),
  };
}

/** Parts are told from another by their words where a run only counts, and by their meaning too where it teaches. */
async function describeRuns({ vectors }: StoreContext, stored: readonly StoredPastRun[]): Promise<PastRun[]> {
  const runs = stored.map(({ intent, vector, tools, flows }): PastRun & { clauses: Clause[] } => ({
    text: intent.slice(0, MOST_READ),
    vector,
    candidateIds: tools.slice(0, MOST_STEPS),
    clauses: listClauses(intent.slice(0, MOST_READ))
      .slice(0, PAGE)
      .map((text) => ({ text })),
    ...(flows !== undefined && { flows }),
  }));
  const clauses = pickLessons(runs.length).flatMap((at) => runs[at]?.clauses ?? []);
  for (let start = 0; start < clauses.length; start += PAGE) {
    const page = clauses.slice(start, start + PAGE);
    const embedded = await vectors.embed(page.map(({ text }) => text));
    for (const [at, clause] of page.entries()) clause.vector = embedded[at] as Float32Array;
  }
  return runs;
}

/** Where nothing feeds anything, the order of the code is what there is to go by. */
function forgetNoFlows({ flows, ...run }: PastRun): PastRun {
  return flows === undefined || flows.length === 0 ? run : { ...run, flows };
}
