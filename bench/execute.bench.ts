import { monitorEventLoopDelay } from "node:perf_hooks";

import { createPml, type Pml, type Tool } from "@pml/core";
import { createEmbedder, createHashEmbedder, type Embedder } from "@pml/embeddings";
import { createSandbox } from "@pml/sandbox";

import { compareAsync, printFacts } from "./sandbox-harness.js";

const CODE = 'const file = await mcp.bench.read({ path }); return file.content + "!";';
const READ_MS = 100;
const READS = ["a", "b", "c", "d", "e", "f"];
/** With the bundled model, as a host has it; beyond that, embedding the tools would take longer than all the rest. */
const SIZES = [
  { tools: 1000, model: true },
  { tools: 10_000, model: false },
  { tools: 100_000, model: false },
];
const QUERIES = 60;
/** Requests that were served before, where there are no more tools than this. */
const [PAST, MOST_TAUGHT] = [300, 10_000];
const VERBS = ["list", "create", "update", "delete", "search", "export", "count", "archive", "share", "check"];
const NOUNS = ["invoice", "customer", "order", "ticket", "file", "folder", "message", "event", "payment", "report"];
const PLACES = ["billing", "shop", "desk", "mail", "calendar", "warehouse", "archive", "portal", "ledger", "forum"];

await measureOverhead();
await measureParallelism();
for (const size of SIZES) await measureDiscovery(size);

function createTool(id: string, pauseMs = 0): Tool {
  return {
    id,
    description: "Read a file",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    annotations: { readOnlyHint: true },
    async execute({ path }) {
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
      return { content: `text of ${String(path)}` };
    },
  };
}

/** The same code, warm: alone in a sandbox; through all of `execute`; and when the answer is known. */
async function measureOverhead(): Promise<void> {
  const tool = createTool("bench:read");
  const sandbox = createSandbox();
  await using pml = await createPml({ embedder: createHashEmbedder(), tools: [tool] });
  const call = async (args: unknown): Promise<unknown> =>
    tool.execute(args as Record<string, unknown>, { signal: new AbortController().signal });
  const tools = [{ id: tool.id, call }];
  const intent = "read a file";
  const first = await pml.execute({ intent, code: CODE, context: { path: "a" } });
  const capability = "capabilityId" in first ? (first.capabilityId ?? "") : "";
  let count = 0;
  await compareAsync({
    title: "One run with one call of a tool",
    candidates: {
      "the bare sandbox": () => sandbox.run({ code: CODE, tools, context: { path: "a" } }).result,
      "execute, with code": () => pml.execute({ intent, code: CODE, context: { path: `${++count}` } }),
      "execute, by name": () => pml.execute({ capability, args: { path: `${++count}` } }),
      "execute, by intent": () => pml.execute({ intent, context: { path: `${++count}` } }),
      "execute, nothing learned": () =>
        pml.execute({ intent, code: CODE, context: { path: `${++count}` }, learn: false }),
      "a cache hit, by name": () => pml.execute({ capability, args: { path: "a" } }),
      "a cache hit, with code": () => pml.execute({ intent, code: CODE, context: { path: "a" } }),
    },
    rounds: 40,
  });
  await judgeCacheHit(pml, capability);
  await sandbox.close();
}

async function judgeCacheHit(pml: Pml, capability: string): Promise<void> {
  const times = await timeEach(200, () => pml.execute({ capability, args: { path: "a" } }));
  const p50 = percentile(times, 0.5);
  printFacts("A cache hit", [
    ["p50", `${p50.toFixed(2)} ms`, `goal < 2 ms ${p50 < 2 ? "met" : "MISSED"}`],
    ["p99", `${percentile(times, 0.99).toFixed(2)} ms`],
  ]);
}

/** Written as one await after the other; run again, what does not depend on each other is done together. */
async function measureParallelism(): Promise<void> {
  await using pml = await createPml({ embedder: createHashEmbedder(), tools: [createTool("bench:read", READ_MS)] });
  const lines = READS.map((name) => `const ${name} = await mcp.bench.read({ path: ${name}Path });`);
  const code = `${lines.join("\n")}\nreturn [${READS.map((name) => `${name}.content`).join(", ")}];`;
  const inputs = (turn: number): Record<string, string> =>
    Object.fromEntries(READS.map((name) => [`${name}Path`, `${name}${turn}`]));
  const started = performance.now();
  const first = await pml.execute({ intent: "read six files", code, context: inputs(0) });
  const writtenMs = performance.now() - started;
  const capability = "capabilityId" in first ? (first.capabilityId ?? "") : "";
  let turn = 0;
  const times = await timeEach(10, () => pml.execute({ capability, args: inputs(++turn) }));
  const p50 = percentile(times, 0.5);
  printFacts(`${READS.length} independent reads of ${READ_MS} ms, written as sequential awaits`, [
    ["the first run, as code", `${writtenMs.toFixed(0)} ms`],
    ["as a capability", `${p50.toFixed(0)} ms`, `goal < ${2.5 * READ_MS} ms ${p50 < 2.5 * READ_MS ? "met" : "MISSED"}`],
  ]);
}

async function measureDiscovery({ tools: size, model }: (typeof SIZES)[number]): Promise<void> {
  const embedder: Embedder = model ? createEmbedder() : createHashEmbedder();
  const tools = Array.from({ length: size }, (_, row): Tool => {
    const [verb, noun, place] = [VERBS[row % 10], NOUNS[Math.floor(row / 10) % 10], PLACES[Math.floor(row / 100) % 10]];
    const tool = createTool(`${place}${Math.floor(row / 1000)}:${verb}_${noun}`);
    return { ...tool, description: `${verb} a ${noun} of the ${place}, number ${row}` };
  });
  await using pml = await createPml({ embedder, tools });
  const openedAt = performance.now();
  await pml.discover({ intent: "anything" });
  const readyMs = performance.now() - openedAt;
  const cold = await timeDiscovery(pml);
  const facts: [string, string][] = [
    ["the first time, with the catalog made ready", `${readyMs.toFixed(0)} ms`],
    ["p50", cold.p50],
    ["p99", cold.p99],
  ];
  if (size <= MOST_TAUGHT) facts.push(...(await measurePast(pml, tools)));
  printFacts(`discover among ${size.toLocaleString("en")} tools, ${model ? "bundled model" : "hash embedder"}`, facts);
}

/** The same with a past, and what it takes to take that in while others want to go on. */
async function measurePast(pml: Pml, tools: readonly Tool[]): Promise<[string, string][]> {
  for (let at = 0; at < PAST; at++) {
    const [server, name] = (tools[(at * 37) % tools.length]?.id ?? "").split(":");
    await pml.execute({ intent: ask(at), code: `return mcp.${server}.${name}({ path: "${at}" });`, cache: false });
  }
  const waits = monitorEventLoopDelay({ resolution: 1 });
  waits.enable();
  const startedAt = performance.now();
  while (!(await hasPast(pml))) await new Promise((done) => setTimeout(done, 20));
  const learnedMs = performance.now() - startedAt;
  waits.disable();
  const warm = await timeDiscovery(pml);
  return [
    [`${PAST} past requests taken in after`, `${learnedMs.toFixed(0)} ms`],
    ["meanwhile others waited, p99 and at most", `${waits.percentile(99) / 1e6} and ${waits.max / 1e6} ms`],
    ["p50 with them", warm.p50],
    ["p99 with them", warm.p99],
  ];
}

async function hasPast(pml: Pml): Promise<boolean> {
  const { results } = await pml.discover({ intent: ask(0), filter: { type: "tool" } });
  return results.some(({ reason }) => reason.startsWith("It served"));
}

async function timeDiscovery(pml: Pml): Promise<{ p50: string; p99: string }> {
  let at = 0;
  const times = await timeEach(QUERIES, () => pml.discover({ intent: ask(at++), filter: { type: "tool" } }));
  return { p50: `${percentile(times, 0.5).toFixed(1)} ms`, p99: `${percentile(times, 0.99).toFixed(1)} ms` };
}

function ask(at: number): string {
  return `${VERBS[at % 10]} the ${NOUNS[at % 7]} that came in ${at % 5} weeks ago`;
}

async function timeEach(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
