import { compareAsync, compareGrowth } from "./sandbox-harness.js";
import {
  createFunctionPeer,
  createIsolatedVmPeer,
  createPmlPeer,
  createQuickJsPeer,
  createVmPeer,
  type Peer,
} from "./sandbox-peers.js";
import { printCpu, printResident } from "./sandbox-processes.js";

const CALLS = 2000;
/** As many as the default limits allow. */
const AT_ONCE = 100;
const RUNS = 100;
const IN_A_ROW = 100;
const MANY_CALLS = `for (let i = 0; i < ${CALLS / AT_ONCE}; i++)
  await Promise.all(Array.from({ length: ${AT_ONCE} }, (_, n) => mcp.bench.tool({ n })));
return 1;`;
const CPU = `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const primes = []; for (let n = 2; primes.length < 4000; n++) if (primes.every((p) => n % p !== 0 || p * p > n)) primes.push(n);
let sum = 0; for (let i = 0; i < 2000000; i++) sum = (sum + Math.imul(i, 31)) | 0;
return fib(27) + primes.length + sum;`;

const ONE_CALL = 'const answer = await mcp.bench.tool({ path: "a" }); return answer.content;';

let written = 0;
/** Code that is new each time, as an agent's is: an engine that has seen it before need not compile it. */
const writeOneCall = (): string =>
  `const answer = await mcp.bench.tool({ path: "a${++written}" }); return answer.content;`;

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

const goals = [
  { name: child.name, than: "isolated-vm, fresh context", atMost: 0.5 },
  { name: child.name, than: "quickjs-emscripten", atMost: 1 },
];
const newCode = { candidates: candidates(peers, (peer) => peer.run(writeOneCall(), tool)), warmUpMs: 2000, goals };

await compareAsync({
  title: "One run with one tool call, of code that has run before, as a capability's",
  candidates: candidates(peers, (peer) => peer.run(ONE_CALL, tool)),
  rounds: 100,
  warmUpMs: 2000,
  goals,
});

await compareAsync({ title: "The same, of new code each time", rounds: 100, ...newCode });

// Without a rest there is no stock of compartments: a child makes one for each run.
await compareAsync({
  title: `New code each time, ${IN_A_ROW} runs in a row, without a rest`,
  rounds: 40,
  inARow: IN_A_ROW,
  ...newCode,
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
  rounds: 25,
  goals: [{ name: child.name, than: "in-process function (no isolation)", atMost: 1.1 }],
});

await compareAsync({
  title: `${RUNS} runs at once, each with one tool call`,
  candidates: await withPools(
    (each) => () => Promise.all(Array.from({ length: RUNS }, () => each.run(writeOneCall(), tool))),
  ),
  rounds: 15,
});

await compareGrowth({
  title: "How a run grows with its tool calls, one after the other",
  work: Object.fromEntries(peers.map((peer) => [peer.name, (calls: number) => peer.run(writeCalls(calls), tool)])),
  sizes: [1, 10, 100],
});

await compareGrowth({
  title: "How a run grows with the characters a tool answers",
  work: Object.fromEntries(
    peers.map((peer) => [peer.name, (length: number) => peer.run(writeOneCall(), answerWith(length))]),
  ),
  sizes: [1000, 100_000, 1_000_000],
});

await compareGrowth({
  title: "How a run grows with the lines of its code",
  work: Object.fromEntries(peers.map((peer) => [peer.name, (lines: number) => peer.run(writeLines(lines), tool)])),
  sizes: [10, 100, 1000],
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

await printCpu(peers, RUNS * 5, (peer) => peer.run(writeOneCall(), tool));
await printResident({ code: writeOneCall, tools: [{ id: "bench:tool", call: tool }] });
await Promise.all(peers.map((peer) => peer.close()));

function writeCalls(count: number): string {
  return `let last; for (let i = 0; i < ${count}; i++) last = await mcp.bench.tool({ i }); return last.content.length + ${++written};`;
}

function writeLines(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `const value${index} = { n: ${index}, text: "t${++written}" };`,
  );
  return `${lines.join("\n")}\nreturn (await mcp.bench.tool({ n: value0.n })).content;`;
}

function answerWith(length: number): () => Promise<unknown> {
  return async () => ({ content: "x".repeat(length) });
}

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
  await peer?.run(writeOneCall(), tool);
  await peer?.close();
}
