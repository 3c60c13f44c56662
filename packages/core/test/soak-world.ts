import { setTimeout as wait } from "node:timers/promises";

import type { ExecuteAnswer, ExecuteRequest, Pml, Tool } from "@pml/core";

const KEY = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };

/** Tools that count how often they were really called, and how often that failed. */
export function createCountingTools(): { tools: Tool[]; calls: Map<string, number>; failures: Map<string, number> } {
  const [calls, failures] = [new Map<string, number>(), new Map<string, number>()];
  const tool = (id: string, annotations: Tool["annotations"], fails = false): Tool => ({
    id,
    description: `Does something with a key: ${id}`,
    inputSchema: KEY,
    ...(annotations !== undefined && { annotations }),
    async execute({ key }) {
      raise(calls, id);
      await wait(0);
      if (!fails) return { key, length: String(key).length };
      raise(failures, id);
      throw new Error("it is out of order");
    },
  });
  const reads = { readOnlyHint: true };
  return {
    tools: [tool("a:read", reads), tool("a:look", reads), tool("a:write", undefined), tool("a:break", undefined, true)],
    calls,
    failures,
  };
}

function raise(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

const READ = "const found = await mcp.a.read({ key }); return found.length;";
const CHAIN = 'const one = await mcp.a.look({ key }); return (await mcp.a.write({ key: one.key + "!" })).length;';
const LOOP =
  "let sum = 0; for (const part of [key, key + key]) sum += (await mcp.a.read({ key: part })).length; return sum;";
const BREAK = "try { await mcp.a.break({ key }); } catch (error) { return error.message; }";
const FAIL = "await mcp.a.look({ key }); return mcp.a.break({ key });";

/**
 * Requests of every mode in turn: code that reads, writes, loops, catches and fails; the same by name; by intent with a
 * context; and with nothing to run. The first ones have been made when this returns.
 */
export async function listRequests(
  pml: Pml,
): Promise<{ answers: ExecuteAnswer[]; next: (at: number) => ExecuteRequest }> {
  const known = [READ, CHAIN, LOOP, BREAK, FAIL];
  const intents = [
    "read how long a key is",
    "copy a key and say how long it is",
    "add up two keys",
    "see what breaks",
    "fail",
  ];
  const context = { key: "first" };
  const answers: ExecuteAnswer[] = [];
  for (const [at, code] of known.entries())
    answers.push(await pml.execute({ intent: intents[at] ?? "", code, context }));
  const ids = answers.map((answer) => ("capabilityId" in answer ? (answer.capabilityId ?? "") : ""));
  const next = (at: number): ExecuteRequest => {
    // Some keys come again, so that caches are met; most do not.
    const key = at % 5 === 0 ? `again-${at % 40}` : `key-${at}`;
    const kind = Math.floor(at / 4) % known.length;
    const intent = intents[kind] ?? "";
    if (at % 4 === 0) return { intent, code: known[kind] ?? "", context: { key } };
    if (at % 4 === 1) return { capability: ids[kind % 4] ?? "", args: { key } };
    if (at % 4 === 2) return { intent: intents[kind % 3] ?? "", context: { key } };
    return at % 40 === 3
      ? { intent: `something new ${at % 7}` }
      : { capability: ids[kind % 3] ?? "", args: { key }, cache: false };
  };
  return { answers, next };
}
