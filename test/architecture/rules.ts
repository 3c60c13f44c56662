import { findCycles } from "./cycles.js";
import { type Import, isTest, packageOf, type Project, resolveRelative, type SourceFile } from "./project.js";

const ADAPTERS = ["mcp", "ai-sdk", "langchain", "http", "viewer", "cli"];

/** Who may import whom. `types` may be named in types only. */
const SIBLINGS: Record<string, { runtime: string[]; types?: string[] }> = {
  analyzer: { runtime: [] },
  sandbox: { runtime: [] },
  graph: { runtime: [] },
  embeddings: { runtime: [] },
  core: { runtime: ["analyzer", "sandbox", "graph"], types: ["embeddings"] },
  ...Object.fromEntries(ADAPTERS.map((name) => [name, { runtime: ["core"] }])),
  // The command line puts the others together, as a host would.
  cli: { runtime: ["core", "embeddings", "mcp", "viewer"] },
};

/** The folders of core, each importing only from itself and from those before it. */
const CORE_ORDER = [
  "model",
  "store",
  "learn",
  "discover",
  "execute",
  "names",
  "pml.ts",
  "agent",
  "index.ts",
  "testing",
];

const MAX_LINES = 300;
/** Files that are one long table, where splitting would hide the whole. */
const TABLES = new Set<string>([]);

/** What breaks the architecture, one sentence each. */
export function listViolations(project: Project): string[] {
  return [
    ...project.imports.flatMap((each) => [...checkSibling(each), ...checkDepth(each), ...checkCoreOrder(each)]),
    ...project.files.flatMap(checkLength),
    ...findCycles(project.imports).map((cycle) => `Import cycle: ${cycle.join(" → ")}`),
  ];
}

function checkSibling({ from, specifier, typeOnly }: Import): string[] {
  const sibling = /^@pml\/([^/]+)/.exec(specifier)?.[1];
  const home = packageOf(from);
  if (sibling === undefined || sibling === home || isTest(from)) return [];
  const allowed = SIBLINGS[home];
  if (allowed === undefined) return [`${from.path}: package "${home}" has no place in the picture`];
  if (allowed.runtime.includes(sibling)) return [];
  if (typeOnly && allowed.types?.includes(sibling)) return [];
  return [`${from.path}: ${home} may not import ${specifier}${typeOnly ? " (types)" : ""}`];
}

function checkDepth({ from, specifier }: Import): string[] {
  const path = resolveRelative(from, specifier);
  const leaves = path !== undefined && !path.startsWith(`packages/${packageOf(from)}/`);
  const deep = /^@pml\/[^/]+\/(src|dist)(\/|$)/.test(specifier);
  return leaves || deep ? [`${from.path}: reaches inside another package: ${specifier}`] : [];
}

function checkCoreOrder({ from, target }: Import): string[] {
  if (target === undefined || packageOf(from) !== "core" || isTest(from)) return [];
  const [here, there] = [rankInCore(from), rankInCore(target)];
  if (here === -1) return [`${from.path}: not in the order of core's folders`];
  return there > here ? [`${from.path}: imports to its right: ${target.path}`] : [];
}

function rankInCore(file: SourceFile): number {
  return CORE_ORDER.indexOf(file.path.split("/")[3] ?? "");
}

function checkLength(file: SourceFile): string[] {
  const lines = file.text.trimEnd().split("\n").length;
  const exempt = isTest(file) || TABLES.has(file.path) || lines <= MAX_LINES;
  return exempt ? [] : [`${file.path}: ${lines} lines, more than ${MAX_LINES}`];
}
