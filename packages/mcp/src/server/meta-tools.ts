import type { Tool } from "@pml/core";

import { listAway } from "./away.js";
import { answerOf, count, listOf, objectOf, READS, type StdTool, storeOf, text } from "./std-tool.js";

/** Servers that are not there: capabilities, and the tools of this server itself. */
const CAPABILITIES_SERVER = "pml-capabilities";
const STD_SERVER = "pml-std";
const STD_FAMILIES: ReadonlySet<string> = new Set(["pml", "dns", "meta", "learn"]);

/** Which server answers for an id of `tool_usage`. */
function serverOf(toolId: string): string {
  const family = toolId.slice(0, toolId.indexOf(":"));
  if (family === "cap") return CAPABILITIES_SERVER;
  return STD_FAMILIES.has(family) ? STD_SERVER : family;
}

const tools: StdTool = {
  id: "meta:tools",
  title: "List tools",
  description: "Every tool that code can call, as mcp.server.name, and whether its server can be reached now.",
  input: objectOf({
    server: text("Only of this server."),
    limit: count("Default 100.", 1),
    offset: count("For the next page."),
  }),
  output: answerOf({
    tools: listOf("id, description, available, annotations, input_schema."),
    total: count("In all."),
  }),
  hints: READS,
  async run({ args, ...context }) {
    const { server, limit = 100, offset = 0 } = args as { server?: string; limit?: number; offset?: number };
    const away = await listAway(context);
    const all = context.pml.tools.list().filter(({ id }) => server === undefined || serverOf(id) === server);
    return { tools: all.slice(offset, offset + limit).map((tool) => describe(tool, away)), total: all.length };
  },
};

function describe(
  { id, description, inputSchema, outputSchema, annotations }: Tool,
  away: ReadonlySet<string>,
): object {
  return { id, description, available: !away.has(id), annotations, inputSchema, outputSchema };
}

const servers: StdTool = {
  id: "meta:servers",
  title: "List servers",
  description: "Where tools come from: servers behind this one with their state, and the two that are not real.",
  input: objectOf({}),
  output: answerOf({ servers: listOf("id, state, number of tools, error.") }),
  hints: READS,
  async run(context) {
    const counts = new Map<string, number>();
    for (const { id } of context.pml.tools.list()) counts.set(serverOf(id), (counts.get(serverOf(id)) ?? 0) + 1);
    const connected = (context.servers?.list() ?? []).map(({ id, state, tools: its, error }) => ({
      id,
      state,
      tools: its.length,
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    }));
    const known = new Set(connected.map(({ id }) => id));
    const given = [...counts].filter(([id]) => !known.has(id)).map(([id, its]) => ({ id, state: "given", tools: its }));
    const virtual = [CAPABILITIES_SERVER, STD_SERVER].map((id) => ({ id, state: "virtual" }));
    return { servers: [...connected, ...given, ...virtual] };
  },
};

const stats: StdTool = {
  id: "meta:stats",
  title: "Statistics",
  description: "What was counted since the memory was opened, and how often each tool and capability was called ever.",
  input: objectOf({ server: text(`Only of this server, as ${CAPABILITIES_SERVER}.`) }),
  output: answerOf({
    metrics: { type: "object" },
    tool_usage: listOf("tool_id, server_id, calls, failures, average_duration_ms."),
  }),
  hints: READS,
  async run({ pml, scope, args }) {
    const usage = (await storeOf({ pml, scope }).listToolUsage()).map((each) => ({
      ...each,
      serverId: serverOf(each.toolId),
    }));
    const asked = args["server"];
    return {
      metrics: pml.metrics(),
      toolUsage: usage.filter(({ serverId }) => asked === undefined || serverId === asked),
    };
  },
};

export const META_TOOLS: readonly StdTool[] = [tools, servers, stats];
