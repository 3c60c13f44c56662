import { createPml, type Pml, type Tool } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";

export interface Sizes {
  tools: number;
  capabilities: number;
  /** Groups of tools that are used together. */
  groups: number;
}

/** Nodes of the map, for which it is promised to be quick. */
export const LARGE: Sizes = { tools: 4700, capabilities: 300, groups: 60 };

type Fact = Parameters<Pml["graph"]["observe"]>[0][number];

/** A memory of many tools that go together in groups, and some capabilities that use them. The same each time. */
export async function createLargeMemory({ tools, capabilities, groups }: Sizes = LARGE): Promise<Pml> {
  const random = createRandom(7);
  const ids = Array.from({ length: tools }, (_, at) => `server${groupOf(at, groups)}:tool${at}`);
  const pml = await createPml({ embedder: createHashEmbedder(), tools: ids.map(createTool) });
  const near = (at: number): string => {
    const isFar = random() < 0.05;
    const step = Math.ceil(random() * (isFar ? tools : (tools / groups) * 0.9));
    return ids[isFar ? step % tools : (at + step * groups) % tools] as string;
  };
  const facts = ids.flatMap((from, at): Fact[] =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => near(at))
      .filter((to) => to !== from)
      .map((to) => ({ kind: "edge", from, to, type: "dependency", source: "observed" })),
  );
  pml.graph.observe(facts);
  for (let at = 0; at < capabilities; at++) {
    const used = [ids[(at * 7) % tools] as string, near((at * 7) % tools), near((at * 7) % tools)];
    const calls = used.map((id) => `await mcp.${id.replace(":", ".")}({});`);
    await pml.capabilities.create({
      intent: `do the work number ${at} of its group`,
      code: `${calls.join("\n")}\nreturn ${at};`,
    });
  }
  return pml;
}

function groupOf(at: number, groups: number): number {
  return at % groups;
}

function createTool(id: string): Tool {
  return { id, description: `Tool ${id} of a large office`, annotations: { readOnlyHint: true }, execute: () => ({}) };
}

/** Park and Miller (1988): numbers that are the same each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
