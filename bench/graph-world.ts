import { factsFromRun, GraphRAGEngine, type RunRecord } from "@pml/graph";

/** Tools come in servers of this many, and a run stays mostly with one of them. */
const SERVER_SIZE = 20;
const RUN_LENGTH = 5;
const RUNS_PER_NODE = 0.8;
const CAPABILITIES_PER_NODE = 0.2;

/** A graph of about this many nodes, as runs leave it behind: servers of tools, and capabilities that span a few. */
export function createWorld(nodes: number): { engine: GraphRAGEngine; tools: number } {
  const engine = new GraphRAGEngine();
  const tools = Math.round(nodes * (1 - CAPABILITIES_PER_NODE));
  const random = createRandom(nodes);
  for (let run = 0; run < nodes * RUNS_PER_NODE; run++) {
    const capability = `capability:${run % Math.round(nodes * CAPABILITIES_PER_NODE)}`;
    engine.observe(factsFromRun({ ...createRun(`t${run}`, tools, random), capability }));
  }
  for (let tool = 0; tool < tools; tool++) engine.observe([{ kind: "node", id: nameTool(tool) }]);
  return { engine, tools };
}

/** One run in which each step takes what the one before it gave. */
export function createRun(trace: string, tools: number, random: () => number): RunRecord {
  const server = Math.floor((random() * tools) / SERVER_SIZE);
  const calls = Array.from({ length: RUN_LENGTH }, (_, at) => {
    const near =
      random() < 0.9 ? server * SERVER_SIZE + Math.floor(random() * SERVER_SIZE) : Math.floor(random() * tools);
    return {
      id: `c${at}`,
      name: nameTool(near % tools),
      startMs: 2 * at,
      endMs: 2 * at + 1,
      success: true,
      args: { input: `value ${at - 1}` },
      result: { output: `value ${at}`, count: at },
    };
  });
  return { trace, calls };
}

export function nameTool(tool: number): string {
  return `server${Math.floor(tool / SERVER_SIZE)}:tool${tool}`;
}

/** The same numbers each time (Park and Miller, 1988). */
export function createRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
