import type { StaticStructure, StructureEdge, StructureNode } from "@pml/analyzer";

/** The nodes as indented lines: what follows stands below, what a decision or a loop holds stands further in. */
export function drawStructure({ nodes, edges }: StaticStructure): string[] {
  const order = edges.filter((edge) => edge.type !== "provides");
  const lines: string[] = [];
  const drawn = new Set<string>();
  const draw = (node: StructureNode, indent: string, label: string): void => {
    lines.push(`${indent}${label}${node.id}  ${describe(node)}${drawn.has(node.id) ? "  (as above)" : ""}`);
    if (drawn.has(node.id)) return;
    drawn.add(node.id);
    for (const edge of order.filter((each) => each.from === node.id).sort(insideFirst)) {
      const next = nodes.find((each) => each.id === edge.to);
      if (next) draw(next, edge.type === "sequence" ? indent : `${indent}    `, labelOf(edge));
    }
  };
  for (const node of nodes) if (!order.some((edge) => edge.to === node.id)) draw(node, "", "");
  return lines;
}

function describe(node: StructureNode): string {
  switch (node.type) {
    case "task":
      return node.tool;
    case "capability":
      return node.capability;
    case "decision":
    case "loop":
      return `${node.kind} ${node.condition}`;
    default:
      return `${node.type} ${node.mode}`;
  }
}

function labelOf(edge: StructureEdge): string {
  return edge.outcome === undefined ? "" : `${edge.outcome} → `;
}

function insideFirst(a: StructureEdge, b: StructureEdge): number {
  return Number(a.type === "sequence") - Number(b.type === "sequence");
}
