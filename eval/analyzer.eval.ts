import { isDeepStrictEqual } from "node:util";

import { type Analysis, dagToCode, StaticStructureBuilder, structureToDag } from "@pml/analyzer";

import { type AgentCode, type Style, writeAgentCode } from "./agent-code.js";
import type { DataSet, Task } from "./data.js";

interface Tally {
  snippets: number;
  found: number;
  expected: number;
  correct: number;
  roundTrips: number;
  notADag: number;
  totalMs: number;
}

/** Whether the analyzer recovers the data flow of code written for real tasks, and whether a DAG says the same. */
export default function measureAnalyzer(sets: readonly DataSet[]): void {
  const rows = sets.flatMap((set) => {
    const tasks = set.tasks.filter((task) => task.edges !== null && task.edges.length > 0);
    return tasks.length === 0 ? [] : (["plain", "varied"] as const).map((style) => measureSet(set.name, tasks, style));
  });
  console.log("Code written for each task whose data flow is known, one call a tool; edges recovered from it.\n");
  console.table(rows);
}

function measureSet(name: string, tasks: readonly Task[], style: Style): Record<string, string | number> {
  const tally: Tally = { snippets: 0, found: 0, expected: 0, correct: 0, roundTrips: 0, notADag: 0, totalMs: 0 };
  for (const task of tasks) {
    const agentCode = writeAgentCode(name, task, style);
    if (agentCode) observe(tally, agentCode);
  }
  return {
    set: name,
    style,
    snippets: tally.snippets,
    edges: tally.expected,
    precision: percent(tally.correct, tally.found),
    recall: percent(tally.correct, tally.expected),
    "round trip": percent(tally.roundTrips, tally.snippets - tally.notADag),
    "not a DAG": tally.notADag,
    "ms each": (tally.totalMs / tally.snippets).toFixed(3),
  };
}

function observe(tally: Tally, { code, tools, flows }: AgentCode): void {
  const builder = new StaticStructureBuilder({ tools });
  const started = performance.now();
  const analysis = builder.build(code);
  tally.totalMs += performance.now() - started;
  const found = listFlows(analysis);
  tally.snippets++;
  tally.found += found.size;
  tally.expected += flows.size;
  tally.correct += [...found].filter((flow) => flows.has(flow)).length;
  const outcome = roundTrip(builder, analysis);
  if (outcome === "not a DAG") tally.notADag++;
  if (outcome === "same") tally.roundTrips++;
}

/** From tool to tool, through the pure operations between them. */
function listFlows({ structure }: Analysis): Set<string> {
  const tools = new Map(
    structure.nodes.flatMap((node) => (node.type === "task" && !node.pure ? [[node.id, node.tool]] : [])),
  );
  const sourcesOf = (id: string): string[] =>
    structure.edges
      .filter((edge) => edge.type === "provides" && edge.to === id)
      .flatMap((edge) => (tools.has(edge.from) ? [edge.from] : sourcesOf(edge.from)));
  return new Set([...tools].flatMap(([id, tool]) => sourcesOf(id).map((source) => `${tools.get(source)} → ${tool}`)));
}

function roundTrip(builder: StaticStructureBuilder, analysis: Analysis): "same" | "different" | "not a DAG" {
  const first = structureToDag(analysis);
  if (!first.ok) return "not a DAG";
  const second = structureToDag(builder.build(dagToCode(first.dag)));
  return second.ok && isDeepStrictEqual(second.dag, first.dag) ? "same" : "different";
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
