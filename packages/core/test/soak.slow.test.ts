import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { createPml, type ExecuteAnswer, type ExecuteRequest, type Pml } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { expect, it } from "vitest";

import { createCountingTools, listRequests } from "./soak-world.js";

const EXECUTES = 10_000;
const CALLERS = 8;
/** By then everything that is made once is there: pools, compiled schemas, prepared code, caches at their full size. */
const WARM_UP = 3000;
/** What may be left over of 7000 runs: less than a kilobyte each would be a leak of a few hundred bytes. */
const GROWTH_MB = 6;

interface Tally {
  ran: number;
  failed: number;
  cached: number;
  suggested: number;
  byCapability: Map<string, number>;
}

it(`serves ${EXECUTES} requests of ${CALLERS} callers with counts that add up and memory that stays flat`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "pml-soak-"));
  const { tools, calls, failures } = createCountingTools();
  // Every kept result counts as memory: a small cache is full before the first measurement.
  const cache = { exact: { maxEntries: 50 } };
  // A call that was begun early and not needed was made, and is in no trace: without them all counts are the same.
  const pml = await createPml({ dataDir, embedder: createHashEmbedder(), tools, cache, prefetch: false });
  const tally: Tally = { ran: 0, failed: 0, cached: 0, suggested: 0, byCapability: new Map() };
  const requests = await listRequests(pml);
  for (const answer of requests.answers) count(tally, answer);

  const startedAt = performance.now();
  await serve(pml, { from: 0, to: WARM_UP, requests: requests.next, tally });
  const before = measureHeap();
  await serve(pml, { from: WARM_UP, to: EXECUTES, requests: requests.next, tally });
  const after = measureHeap();
  const perSecond = EXECUTES / ((performance.now() - startedAt) / 1000);
  console.log(
    `${perSecond.toFixed(0)} a second; heap ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB; ` +
      `${tally.ran} ran, ${tally.failed} of them failed, ${tally.cached} from a cache, ${tally.suggested} suggested`,
  );

  await expectCounts(pml, tally);
  const usage = new Map((await pml.store.listToolUsage()).map((each) => [each.toolId, each]));
  for (const [tool, times] of calls)
    expect([tool, usage.get(tool)?.calls, usage.get(tool)?.failures]).toEqual([tool, times, failures.get(tool) ?? 0]);
  expect(await pml.listUnfinished()).toEqual([]);
  expect(after - before).toBeLessThan(GROWTH_MB);
  await pml.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 900_000);

/** Each caller takes the next request when it is done with one. */
async function serve(
  pml: Pml,
  { from, to, requests, tally }: { from: number; to: number; requests: (at: number) => ExecuteRequest; tally: Tally },
): Promise<void> {
  let next = from;
  const call = async (): Promise<void> => {
    while (next < to) count(tally, await pml.execute(requests(next++)));
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

function count(tally: Tally, answer: ExecuteAnswer): void {
  if (answer.status === "suggestions") {
    tally.suggested++;
    return;
  }
  if (answer.status === "approval_required") throw new Error("nothing here asks for approval");
  if (answer.status === "success" && answer.cacheHit !== undefined) {
    tally.cached++;
    return;
  }
  tally.ran++;
  if (answer.status === "error") tally.failed++;
  const id = answer.capabilityId ?? "";
  tally.byCapability.set(id, (tally.byCapability.get(id) ?? 0) + 1);
}

async function expectCounts(pml: Pml, tally: Tally): Promise<void> {
  const traces = await pml.store.listTraces({ limit: 1_000_000 });
  expect(traces).toHaveLength(tally.ran);
  expect(traces.filter(({ success }) => !success)).toHaveLength(tally.failed);
  expect(new Set(traces.map(({ workflowId }) => workflowId)).size).toBe(tally.ran);
  const { executions, failures, cacheHits, suggestions } = pml.metrics();
  expect({ executions, failures, cacheHits, suggestions }).toEqual({
    executions: tally.ran,
    failures: tally.failed,
    cacheHits: tally.cached,
    suggestions: tally.suggested,
  });
  const counted = (await pml.store.list({ limit: 1000 })).map(
    ({ id, statistics }) => [id, statistics.usageCount] as const,
  );
  expect(new Map(counted)).toEqual(tally.byCapability);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function measureHeap(): number {
  for (let times = 0; times < 3; times++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
