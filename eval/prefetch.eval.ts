import assert from "node:assert/strict";

import { StaticStructureBuilder } from "@pml/analyzer";
import { createPml, type ExecuteAnswer, type Pml } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";

import type { DataSet } from "./data.js";
import { foldOf } from "./graph-plans.js";
import { listPlans, type Replayed, simulateTools } from "./prefetch-traces.js";

const SETS = ["processtbench", "ultratool"];
/** How often what a run will call next is begun before it asks, and what that saves; learned from the training part only. */
export default async function measurePrefetch(sets: readonly DataSet[]): Promise<void> {
  console.log(
    "Latencies are SIMULATED: 10 to 50 ms by tool, always the same for one tool. Arguments and data flow of processtbench\n" +
      "are those of its traces, and all its tools only read; ultratool has no arguments: each call takes the request, and what\n" +
      "the call before it gave. Of its tools, those only read whose names say so. Code calls one tool after the other.\n",
  );
  const rows: Record<string, unknown>[] = [];
  for (const set of sets.filter(({ name }) => SETS.includes(name))) {
    const world = await openWorld(set);
    const plans = listPlans(set);
    const training = plans.filter(({ task }) => foldOf(task) !== 0);
    for (const plan of new Map(training.map((each) => [each.code + each.intent, each])).values())
      await world.learn(plan);
    rows.push(
      await world.measure(
        "other tasks, new code",
        plans.filter(({ task }) => foldOf(task) === 0),
        world.runNew,
      ),
    );
    const again = listPlans(set, "traces_paraphrased.jsonl").filter(({ task }) => foldOf(task) !== 0);
    if (set.name === "processtbench")
      rows.push(await world.measure("known tasks in other words", again, world.runKnown));
    await world.pml.close();
  }
  console.table(rows);
}

type Run = (plan: Replayed) => Promise<ExecuteAnswer | undefined>;

interface World {
  pml: Pml;
  learn: (plan: Replayed) => Promise<void>;
  runNew: Run;
  runKnown: Run;
  measure: (asked: string, plans: readonly Replayed[], run: Run) => Promise<Record<string, unknown>>;
}

async function openWorld(set: DataSet): Promise<World> {
  let [isSlow, waitedMs] = [false, 0];
  const tools = simulateTools(
    set,
    () => isSlow,
    (ms) => void (waitedMs += ms),
  );
  const pml = await createPml({ tools, embedder: createHashEmbedder() });
  const builder = new StaticStructureBuilder({ tools: tools.map(({ id }) => ({ id })) });
  const known = new Map<string, { id: string; inputs: string }>();

  return {
    pml,
    async learn({ task, intent, code, context }) {
      const answer = await pml.execute({ intent, code, context, cache: false });
      assert.equal(answer.status, "success", task);
      const { shape, parameterised } = builder.build(code);
      const id = "capabilityId" in answer ? (answer.capabilityId ?? "") : "";
      if (!known.has(shape)) known.set(shape, { id, inputs: Object.keys(parameterised.defaults).join() });
    },
    runNew: ({ intent, code, context }) => pml.execute({ intent, code, context, learn: false, cache: false }),
    async runKnown({ code }) {
      const { shape, parameterised } = builder.build(code);
      const capability = known.get(shape);
      // Two values that happened to be the same were one input.
      if (capability?.inputs !== Object.keys(parameterised.defaults).join()) return undefined;
      return pml.execute({ capability: capability.id, args: parameterised.defaults, learn: false, cache: false });
    },
    async measure(asked, plans, run) {
      const before = pml.metrics();
      [isSlow, waitedMs] = [true, 0];
      let runs = 0;
      // One at a time: what another run changes meanwhile would count as for nothing.
      for (const plan of plans) {
        const answer = await run(plan);
        if (answer !== undefined) runs++;
        assert(answer === undefined || answer.status === "success", plan.task);
      }
      isSlow = false;
      return { set: set.name, asked, runs, ...describe(before, pml.metrics(), waitedMs) };
    },
  };
}

type Metrics = ReturnType<Pml["metrics"]>;

function describe(before: Metrics, after: Metrics, waitedMs: number): Record<string, unknown> {
  const [calls, begun, used, wasted] = (["toolCalls", "prefetches", "prefetchHits", "prefetchesWasted"] as const).map(
    (name) => after[name] - before[name],
  ) as [number, number, number, number];
  const savedMs = after.savedMs.prefetch - before.savedMs.prefetch;
  return {
    calls,
    "begun early": begun,
    "hit rate": `${((100 * used) / (used + wasted || 1)).toFixed(1)} %`,
    wasted,
    "of all calls": `${((100 * used) / calls).toFixed(1)} %`,
    "simulated waiting": `${(waitedMs / 1000).toFixed(1)} s`,
    saved: `${(savedMs / 1000).toFixed(1)} s (${((100 * savedMs) / waitedMs).toFixed(1)} %)`,
  };
}
