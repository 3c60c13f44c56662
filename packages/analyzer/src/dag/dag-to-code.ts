import { StaticStructureBuilder } from "../builder.js";
import type { ToolInfo } from "../catalog.js";
import { AnalyzerError } from "../error.js";
import { checkDag } from "./check-dag.js";
import { CodeWriter, type Style } from "./code-writer.js";
import type { DAGStructure } from "./dag.js";
import { structureToDag } from "./structure-to-dag.js";

/** Waits for more than it has to, which is always right. */
const PLAIN: Style = { parallel: "none" };

/** Most readable first. */
const STYLES: readonly Style[] = [
  PLAIN,
  { parallel: "all" },
  { parallel: "none", inline: true },
  { parallel: "all", inline: true },
  { parallel: "started" },
];

/** Code that does what a DAG says: the most readable form that says the same when it is read again. */
export function dagToCode(dag: DAGStructure): string {
  checkDag(dag);
  const builder = new StaticStructureBuilder({ tools: listTools(dag) });
  const wanted = JSON.stringify(sorted(dag));
  for (const style of STYLES) {
    const code = new CodeWriter(dag, style).write();
    if (readBack(builder, code) === wanted) return code;
  }
  return new CodeWriter(dag, PLAIN).write();
}

function listTools({ tasks }: DAGStructure): ToolInfo[] {
  const tools = tasks.filter(({ type }) => type === "mcp_tool");
  const effects = new Set(tools.filter(({ sideEffects }) => sideEffects !== false).map(({ tool }) => tool));
  return [...new Set(tools.map(({ tool }) => tool))].map((id) => ({
    id,
    annotations: { readOnlyHint: !effects.has(id) },
  }));
}

function readBack(builder: StaticStructureBuilder, code: string): string | undefined {
  try {
    const conversion = structureToDag(builder.build(code));
    return conversion.ok ? JSON.stringify(sorted(conversion.dag)) : undefined;
  } catch (error) {
    if (error instanceof AnalyzerError) return undefined;
    throw error;
  }
}

/** The same with keys in order, so that text can be compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, sorted(field)]));
}
