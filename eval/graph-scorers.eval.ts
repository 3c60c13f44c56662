import { PlanMemory } from "@pml/core";
import {
  createLearnedScorer,
  createPathValues,
  decideScorer,
  type GraphRAGEngine,
  type HeldOutTrace,
  type ModelName,
  type PathValues,
  predictNext,
  type ScoringQuestion,
} from "@pml/graph";

import type { DataSet } from "./data.js";
import { learnRuns } from "./graph-dag.eval.js";
import { FOLDS, type PlanSet, preparePlans, type PlanTask } from "./graph-plans.js";

const SETS = ["bfcl_multiturn", "taubench", "ultratool"];
const MODELS: readonly ModelName[] = ["linear", "attention"];
const CANDIDATES = 30;
const NEIGHBOURS = 12;
const MOST_LESSONS = 400;
const MOST_ASKED = 150;
const ROUNDS = 3;

/** Whether a scorer that learns from runs ranks next tools better than the ranking that does not, and which one best. */
export default async function measureScorers(sets: readonly DataSet[]): Promise<void> {
  console.log("Next tool among the thirty likeliest: reciprocal rank on tasks of the fifth fold, tasks drawn whole.\n");
  for (const set of sets.filter(({ name }) => SETS.includes(name))) console.table(measureSet(await preparePlans(set)));
}

function measureSet(set: PlanSet): Record<string, unknown>[] {
  // What is known, what is learned from it, and what is asked are three parts: no run helps to rank itself.
  const [known, taught, held] = [
    set.tasks.filter(({ fold }) => fold < FOLDS - 2),
    thin(
      set.tasks.filter(({ fold }) => fold === FOLDS - 2),
      MOST_LESSONS,
    ),
    thin(
      set.tasks.filter(({ fold }) => fold === FOLDS - 1),
      MOST_ASKED,
    ),
  ];
  const world = learnWorld(set, known);
  const [lessons, asked] = [taught, held].map((tasks) => tasks.map((task) => readTrace(task, world))) as [
    HeldOutTrace[],
    HeldOutTrace[],
  ];
  return MODELS.map((model) => {
    const scorer = createLearnedScorer({ model });
    for (let round = 0; round < ROUNDS; round++) {
      for (const { question, chosen } of lessons.flatMap(({ decisions }) => decisions)) {
        scorer.observe(question, { chosen, reward: 1 });
      }
    }
    const { use, evidence } = decideScorer(asked, { score: scorer.score });
    const { unlearned, learned, difference, lower, upper, traces } = evidence;
    return {
      set: set.name,
      model,
      tasks: traces,
      unlearned: unlearned.toFixed(3),
      learned: learned.toFixed(3),
      difference: `${difference.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}]`,
      use,
    };
  });
}

interface World {
  set: PlanSet;
  memory: PlanMemory;
  engine: GraphRAGEngine;
  values: PathValues;
  ranks: ReadonlyMap<string, number>;
  runs: readonly (readonly string[])[];
}

function learnWorld(set: PlanSet, known: readonly PlanTask[]): World {
  const engine = learnRuns(known.map(({ task }) => task));
  const values = createPathValues();
  for (const { task } of known) values.observe(task.tools, 1);
  const ranks = new Map(set.candidates.map(({ id }) => [id, engine.pageRank().get(id) ?? 0]));
  const runs = known.map(({ task }) => task.tools);
  return { set, memory: PlanMemory.create(set.candidates, known), engine, values, ranks, runs };
}

/** Each step of a task as a question; steps whose answer is not among the candidates cannot be ranked. */
function readTrace(task: PlanTask, world: World): HeldOutTrace {
  const { tools } = task.task;
  const chances = world.memory.score(task);
  const likeness = new Map(world.set.candidates.map(({ id }, row) => [id, chances[row] ?? 0]));
  const near = world.memory.listNearest(task, NEIGHBOURS);
  const decisions = tools.slice(1).flatMap((tool, at) => {
    const done = tools.slice(0, at + 1);
    const ranked = predictNext(world.engine.paths, done, { likeness, likenessWeight: 0.6, limit: CANDIDATES });
    const ids = ranked.map(({ id }) => id);
    const chosen = ids.indexOf(tool);
    const question: ScoringQuestion = {
      candidates: ranked.map(({ id, score }) => describe(id, score, { world, done, likeness })),
      neighbours: near.map(({ intent, likeness: votes }) => ({
        likeness: votes,
        overlap: done.filter((each) => intent.candidateIds.includes(each)).length / done.length,
        reliability: 1,
        recency: 1,
        offers: offer(intent.candidateIds, done, ids),
      })),
    };
    return chosen < 0 ? [] : [{ question, chosen }];
  });
  return { decisions };
}

function describe(
  id: string,
  unlearned: number,
  { world, done, likeness }: { world: World; done: readonly string[]; likeness: ReadonlyMap<string, number> },
): ScoringQuestion["candidates"][number] {
  const { engine, runs } = world;
  const using = runs.filter((run) => done.some((each) => run.includes(each)));
  const uses = runs.filter((run) => run.includes(id));
  const last = engine.paths.findFollowers(done.slice(-1));
  const own = engine.hasNode(id) ? (engine.getCommunity(id)?.members ?? []) : [];
  return {
    unlearned,
    successes: uses.length,
    failures: 0,
    coOccurrence: share(using.filter((run) => run.includes(id)).length, using.length),
    follows: share(last?.counts.get(id) ?? 0, last?.total ?? 0),
    position: share(uses.filter((run) => run[done.length] === id).length, uses.length),
    recency: 1,
    community: share(done.filter((each) => own.includes(each)).length, done.length),
    pageRank: share(world.ranks.get(id) ?? 0, Math.max(...world.ranks.values()) || 1),
    intentLikeness: likeness.get(id) ?? 0,
    pathValue: world.values.get(id),
    repeated: done.includes(id) ? 1 : 0,
  };
}

function share(part: number, whole: number): number {
  return part / (whole || 1);
}

/** A run speaks for what it did after the last step, and less for what it did later. */
function offer(run: readonly string[], done: readonly string[], ids: readonly string[]): (readonly [number, number])[] {
  const at = run.lastIndexOf(done.at(-1) ?? "");
  const left = [...new Set(run)].filter((id) => !done.includes(id));
  return left.flatMap((id) => {
    const candidate = ids.indexOf(id);
    return candidate < 0 ? [] : [[candidate, at >= 0 && run[at + 1] === id ? 1 : 0.5] as const];
  });
}

function thin<Item>(items: readonly Item[], most: number): Item[] {
  const every = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_, at) => at % every === 0);
}
