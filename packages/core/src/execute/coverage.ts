import type { Analysis, StaticStructure, StructureNode } from "@pml/analyzer";

import type { NewTool } from "../model/tool.js";

type Coverage = "strict" | "partial" | "optional";
type FindTool = (id: string) => Pick<NewTool, "inputSchema"> | undefined;

/**
 * The structure with what each `provides` edge covers of the input of the tool it leads to: all that is required, some of
 * it, or only what is not. Which fields are filled is known from the code; what is required, from the schema.
 */
export function addCoverage(
  { structure, dataFlow }: Pick<Analysis, "structure" | "dataFlow">,
  find: FindTool,
): StaticStructure {
  const nodes = new Map(structure.nodes.map((node) => [node.id, node]));
  const edges = structure.edges.map((edge) => {
    if (edge.type !== "provides") return edge;
    const filled = dataFlow.filter(({ from, to }) => from === edge.from && to === edge.to).map(({ input }) => input);
    const coverage = coverInput(findSchema(nodes.get(edge.to), find), filled);
    return coverage === undefined ? edge : { ...edge, coverage };
  });
  return { nodes: structure.nodes, edges };
}

interface InputSchema {
  properties?: Record<string, unknown>;
  required?: readonly string[];
}

function coverInput({ properties = {}, required = [] }: InputSchema, filled: readonly string[]): Coverage | undefined {
  if (!filled.some((name) => Object.hasOwn(properties, name) || required.includes(name))) return undefined;
  const covered = required.filter((name) => filled.includes(name));
  if (covered.length === 0) return "optional";
  return covered.length === required.length ? "strict" : "partial";
}

function findSchema(node: StructureNode | undefined, find: FindTool): InputSchema {
  const schema = node?.type === "task" ? find(node.tool)?.inputSchema : undefined;
  return typeof schema === "object" && schema !== null ? (schema as InputSchema) : {};
}
