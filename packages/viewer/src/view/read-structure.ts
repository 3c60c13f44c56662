import type { StepEdge, StepType, StepView, StructureView } from "../structure.js";
import { isRecord, listRecords, listTexts, readText, type Stored } from "./record.js";
import { shorten } from "./shorten.js";

const STEPS: readonly StepType[] = ["task", "capability", "decision", "fork", "join", "loop"];
const EDGES: readonly StepEdge["type"][] = ["sequence", "conditional", "provides", "contains"];
const [MOST_STEPS, MOST_EDGES] = [300, 1200];
const TITLE = 80;
const DETAIL = 160;

/** What a structure draws as. Whatever does not look like one is left out: it may come from anywhere. */
export function readStructure(structure: unknown): StructureView | undefined {
  if (!isRecord(structure)) return undefined;
  const nodes = listRecords(structure["nodes"]).slice(0, MOST_STEPS).flatMap(readStep);
  const known = new Set(nodes.map(({ id }) => id));
  const edges = listRecords(structure["edges"]).slice(0, MOST_EDGES).flatMap(readEdge);
  if (nodes.length === 0) return undefined;
  return { nodes, edges: edges.filter(({ from, to }) => known.has(from) && known.has(to)) };
}

function readStep(node: Stored): StepView[] {
  const id = readText(node["id"]);
  const type = STEPS.find((each) => each === node["type"]);
  if (id === undefined || type === undefined) return [];
  const detail = describe(type, node);
  const outcomes = listTexts(node["outcomes"]);
  return [
    {
      id,
      type,
      title: shorten(entitle(type, node), TITLE),
      ...(detail !== "" && { detail: shorten(detail, DETAIL) }),
      ...(typeof node["line"] === "number" && { line: node["line"] }),
      ...(node["pure"] === true && { pure: true as const }),
      ...(outcomes.length > 0 && { outcomes }),
    },
  ];
}

function entitle(type: StepType, node: Stored): string {
  const part = { task: "tool", capability: "capability", decision: "condition", loop: "condition" } as const;
  if (type === "fork" || type === "join") return readText(node["mode"]) ?? "all";
  return readText(node[part[type]]) ?? type;
}

function describe(type: StepType, node: Stored): string {
  if (type === "task" || type === "capability") return readText(node["code"]) ?? describeArguments(node["arguments"]);
  return readText(node["kind"]) ?? "";
}

function describeArguments(given: unknown): string {
  if (!isRecord(given)) return "";
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${describeArgument(isRecord(value) ? value : {})}`)
    .join(", ");
}

function describeArgument(argument: Stored): string {
  if (argument["type"] === "literal") return JSON.stringify(argument["value"]) ?? "";
  if (argument["type"] === "parameter") return describePath(argument["parameterName"], argument["path"]);
  return readText(argument["expression"]) ?? "…";
}

function describePath(name: unknown, path: unknown): string {
  return [readText(name) ?? "…", ...(Array.isArray(path) ? path.map(String) : [])].join(".");
}

function readEdge(edge: Stored): StepEdge[] {
  const [from, to] = [readText(edge["from"]), readText(edge["to"])];
  const type = EDGES.find((each) => each === edge["type"]);
  const outcome = readText(edge["outcome"]);
  if (from === undefined || to === undefined || type === undefined) return [];
  return [{ from, to, type, ...(outcome !== undefined && { outcome }) }];
}
