import { readFileSync } from "node:fs";

import { createSandbox } from "@pml/sandbox";

import { compareAsync, printFacts } from "./sandbox-harness.js";
import {
  createFunctionPeer,
  createIsolatedVmPeer,
  createPmlPeer,
  createQuickJsPeer,
  createVmPeer,
  type Peer,
} from "./sandbox-peers.js";

const CALLS = 2000;
/** As many as the default limits allow. */
const AT_ONCE = 100;
const RUNS = 100;
const RESIDENT_GOAL_MB = 60;
const ONE_CALL = 'const answer = await mcp.bench.tool({ path: "a" }); return answer.content;';
const MANY_CALLS = `for (let i = 0; i < ${CALLS / AT_ONCE}; i++)
  await Promise.all(Array.from({ length: ${AT_ONCE} }, (_, n) => mcp.bench.tool({ n })));
return 1;`;
const CPU = `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const primes = []; for (let n = 2; primes.length < 4000; n++) if (primes.every((p) => n % p !== 0 || p * p > n)) primes.push(n);
let sum = 0; for (let i = 0; i < 2000000; i++) sum = (sum + Math.imul(i, 31)) | 0;
return fib(27) + primes.length + sum;`;

const tool = async (args: unknown): Promise<unknown> => ({ content: "text", args });
const [child, thread] = [createPmlPeer("process"), createPmlPeer("worker")];
const isolated = createIsolatedVmPeer();
const peers: Peer[] = [
  ...(isolated ? [isolated] : []),
  child,
  thread,
  await createQuickJsPeer(),
  createVmPeer(),
  createFunctionPeer(),
];

await compareAsync({
  title: "One run with one tool call, warm",
  candidates: candidates(peers, (peer) => peer.run(ONE_CALL, tool)),
  rounds: 100,
  warmUpMs: 2000,
  goals: [
    { name: child.name, than: "isolated-vm, fresh context", atMost: 0.5 },
    { name: child.name, than: "quickjs-emscripten", atMost: 1 },
  ],
});

await compareAsync({
  title: `Tool calls, ${AT_ONCE} at a time: time for ${CALLS}`,
  candidates: candidates(peers, (peer) => peer.run(MANY_CALLS, tool)),
  rounds: 15,
  perSecond: CALLS,
  goals: [{ name: child.name, than: "isolated-vm, fresh context", atMost: 1 }],
});

await compareAsync({
  title: "A script that only computes",
  candidates: candidates(peers, (peer) => peer.run(CPU, tool)),
  rounds: 7,
  goals: [{ name: child.name, than: "in-process function (no isolation)", atMost: 1.1 }],
});

await compareAsync({
  title: `${RUNS} runs at once, each with one tool call`,
  candidates: await withPools(
    (each) => () => Promise.all(Array.from({ length: RUNS }, () => each.run(ONE_CALL, tool))),
  ),
  rounds: 15,
});

await compareAsync({
  title: "Cold start: a new sandbox, one run, and closed again",
  candidates: {
    ...(isolated && { "isolated-vm, fresh isolate": () => once(createIsolatedVmPeer()) }),
    "@pml/sandbox, process": () => once(createPmlPeer("process")),
    "@pml/sandbox, worker": () => once(createPmlPeer("worker")),
    "quickjs-emscripten, fresh module": async () => once(await createQuickJsPeer()),
    "node:vm (no isolation)": () => once(createVmPeer()),
    "in-process function (no isolation)": () => once(createFunctionPeer()),
  },
  rounds: 9,
  warmUpMs: 0,
});

await measureMemory();
await Promise.all(peers.map((peer) => peer.close()));

function candidates(all: Peer[], work: (peer: Peer) => Promise<unknown>): Record<string, () => Promise<unknown>> {
  return Object.fromEntries(all.map((peer) => [peer.name, () => work(peer)]));
}

async function withPools(
  work: (peer: Peer) => () => Promise<unknown>,
): Promise<Record<string, () => Promise<unknown>>> {
  const pooled = [createPmlPeer("process", 2), createPmlPeer("worker", 2)];
  peers.push(...pooled);
  const others = peers.filter((peer) => ![child, thread, ...pooled].includes(peer));
  const named = [...others, ...pooled].map((peer) => [peer.name, work(peer)] as const);
  return Object.fromEntries(named);
}

async function once(peer: Peer | undefined): Promise<void> {
  await peer?.run(ONE_CALL, tool);
  await peer?.close();
}

/** What a child holds after as many runs as it may serve before it is replaced. */
async function measureMemory(): Promise<void> {
  if (process.platform !== "linux") return;
  const before = listChildren();
  await using sandbox = createSandbox({ pool: { size: 1 } });
  const run = (): Promise<unknown> => sandbox.run({ code: ONE_CALL, tools: [{ id: "bench:tool", call: tool }] }).result;
  await run();
  const pid = listChildren().find((each) => !before.includes(each));
  if (pid === undefined) return;
  const first = readResidentMb(pid);
  for (let count = 1; count < 199; count++) await run();
  const last = readResidentMb(pid);
  printFacts("Resident memory of a child", [
    ["after its first run", `${first.toFixed(1)} MB`],
    [
      "after its last",
      `${last.toFixed(1)} MB`,
      `goal ≤ ${RESIDENT_GOAL_MB} MB ${last <= RESIDENT_GOAL_MB ? "met" : "MISSED"}`,
    ],
  ]);
}

function listChildren(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
}

function readResidentMb(pid: string): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
