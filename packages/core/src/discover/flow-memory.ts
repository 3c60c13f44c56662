import { computeCoverage, type InferredEdge, type ToolSchemas } from "@pml/graph";

import { alignMentions } from "./align-mentions.js";
import type { Candidate } from "./candidate.js";
import { describeFlow, FLOW_PRIOR, type FlowQuestion } from "./flow-features.js";
import { finish } from "./in-turns.js";
import { pickLessons } from "./lessons.js";
import { type Example, fitInSteps } from "./listwise.js";
import { MentionIndex } from "./mention-order.js";
import type { NextRequest, PastRun } from "./next-memory.js";
import { PastOrder } from "./past-order.js";

const VALUES = /'[^']{1,200}'|"[^"]{1,200}"|\S+\.\w{2,5}\b/g;
/** The input of a tool whose schemas say nothing. */
const BLANK = "";

export type FlowTool = Candidate & Pick<ToolSchemas, "inputSchema" | "outputSchema">;

/**
 * Who feeds whom among the tools of a request. An input takes its data from one place: one of the tools whose output fits,
 * or the request. Which one, is chosen by a small model of where the request speaks of each tool, of what came before
 * what and what fed what in past runs, learned from the host's own past, each run judged as if it had not been there.
 */
export class FlowMemory {
  readonly #tools: readonly FlowTool[];
  readonly #rowOf: ReadonlyMap<string, number>;
  readonly #mentions: MentionIndex;
  readonly #order = new PastOrder();
  readonly #fits = new Map<string, readonly string[]>();
  #weights: readonly number[] = FLOW_PRIOR;

  private constructor(tools: readonly FlowTool[]) {
    this.#tools = tools;
    this.#rowOf = new Map(tools.map(({ id }, row) => [id, row]));
    this.#mentions = new MentionIndex(tools);
  }

  static create(tools: readonly FlowTool[], runs: readonly PastRun[]): FlowMemory {
    return finish(FlowMemory.learn(tools, runs));
  }

  /** In steps, for `finishInTurns`. */
  static *learn(tools: readonly FlowTool[], runs: readonly PastRun[]): Generator<undefined, FlowMemory> {
    const memory = new FlowMemory(tools);
    for (const run of runs) {
      memory.#observe(run, 1);
      yield;
    }
    const lessons: Example[] = [];
    for (const at of pickLessons(runs.length)) {
      lessons.push(...memory.#teach(runs[at] as PastRun));
      yield;
    }
    const options = { epochs: 250, rate: 0.05, decay: 0.001, start: FLOW_PRIOR };
    if (lessons.length > 0) memory.#weights = yield* fitInSteps(lessons, options);
    return memory;
  }

  /** Between these tools, the surest flow for each input, and never a circle. */
  infer(request: NextRequest, ids: readonly string[]): InferredEdge[] {
    const rows = [...new Set(ids.flatMap((id) => this.#rowOf.get(id) ?? []))].sort((a, b) => a - b);
    const options = this.#ask(request, rows).flatMap(({ question, input }) => {
      const chances = this.#judge(question);
      return question.sources.map((from, at) => ({
        from,
        to: question.to,
        input,
        chance: chances[at + 1] ?? 0,
        none: chances[0] ?? 0,
      }));
    });
    const [filled, next] = [new Set<string>(), new Map<number, number[]>()];
    const chosen = options
      .filter(({ chance, none }) => chance > none)
      .sort((a, b) => b.chance - a.chance || a.to - b.to || a.from - b.from)
      .filter(({ from, to, input }) => {
        const place = JSON.stringify([to, input]);
        if (filled.has(place) || next.get(from)?.includes(to) || reaches(next, to, from)) return false;
        filled.add(place);
        next.set(from, [...(next.get(from) ?? []), to]);
        return true;
      });
    return chosen.map(({ from, to, chance }) => this.#explain(from, to, chance));
  }

  #explain(from: number, to: number, score: number): InferredEdge {
    const [source, target] = [this.#tools[from] as FlowTool, this.#tools[to] as FlowTool];
    const fieldMapping = computeCoverage(source, target)?.fieldMapping ?? [];
    const explanation = fieldMapping[0]?.reason ?? `${target.name} mostly goes on with what ${source.name} did`;
    return { from: source.id, to: target.id, score, explanation, fieldMapping };
  }

  #judge(question: FlowQuestion): number[] {
    const odds = describeFlow(question).map((row) =>
      row.reduce((sum, value, at) => sum + value * (this.#weights[at] ?? 0), 0),
    );
    const powers = odds.map((each) => Math.exp(Math.max(-30, Math.min(30, each))));
    const total = powers.reduce((sum, each) => sum + each, 0);
    return powers.map((each) => each / total);
  }

  #teach(run: PastRun): Example[] {
    const { rows, flows } = this.#read(run);
    this.#observe(run, -1);
    const asked = this.#ask(
      run,
      [...new Set(rows)].sort((a, b) => a - b),
    );
    const examples = asked.map(({ question }) => {
      const given = question.sources.flatMap((from, at) =>
        flows.some((flow) => flow[0] === from && flow[1] === question.to) ? [at + 1] : [],
      );
      return { rows: describeFlow(question), right: given.length > 0 ? given : [0] };
    });
    this.#observe(run, 1);
    return examples;
  }

  /** One question an input that something could feed. */
  #ask(request: NextRequest, rows: readonly number[]): { question: FlowQuestion; input: string }[] {
    const mentions = this.#mentions.score(request.clauses);
    const shared = {
      places: alignMentions(mentions, rows),
      values: request.text.match(VALUES)?.length ?? 0,
      order: this.#order,
      fits: new Set(
        rows.flatMap((from) => rows.flatMap((to) => (this.#listInputs(from, to).length > 0 ? [`${from}:${to}`] : []))),
      ),
    };
    return rows.flatMap((to) => {
      const inputs = new Set(rows.flatMap((from) => (from === to ? [] : this.#listInputs(from, to))));
      return [...inputs].sort().map((input) => {
        const sources = rows.filter((from) => from !== to && this.#listInputs(from, to).includes(input));
        const question = {
          ...shared,
          to,
          sources,
          inputs: inputs.size,
          isTransformer: this.#listInputs(to, to).includes(input),
          transformers: new Set(sources.filter((from) => this.#listInputs(from, from).length > 0)),
          turnable: new Set(sources.filter((from) => this.#listInputs(to, from).length > 0)),
        };
        return { question, input };
      });
    });
  }

  /** Inputs of the one that an output of the other fits; all of it, where nothing is known of either. */
  #listInputs(from: number, to: number): readonly string[] {
    const key = `${from}:${to}`;
    const known = this.#fits.get(key);
    if (known !== undefined) return known;
    const [source, target] = [this.#tools[from], this.#tools[to]] as [FlowTool, FlowTool];
    const isBlank = source.outputSchema === undefined || target.inputSchema === undefined;
    const found = isBlank
      ? [BLANK]
      : (computeCoverage(source, target)?.fieldMapping ?? []).map(({ toField }) => toField);
    this.#fits.set(key, found);
    return found;
  }

  #observe(run: PastRun, times: number): void {
    this.#order.observe(this.#read(run), times);
  }

  #read({ candidateIds, flows }: PastRun): { rows: number[]; flows: (readonly [number, number])[] } {
    const rows = candidateIds.flatMap((id) => this.#rowOf.get(id) ?? []);
    const steps = flows ?? candidateIds.slice(1).map((id, at) => [candidateIds[at] ?? "", id] as const);
    const known = steps.flatMap(([from, to]) => {
      const [first, second] = [this.#rowOf.get(from), this.#rowOf.get(to)];
      return first === undefined || second === undefined || first === second ? [] : [[first, second] as const];
    });
    return { rows, flows: known };
  }
}

function reaches(next: ReadonlyMap<number, readonly number[]>, start: number, goal: number): boolean {
  const seen = new Set([start]);
  for (const row of seen) for (const each of next.get(row) ?? []) seen.add(each);
  return seen.has(goal);
}
