import type { Analysis, DecisionNode, StructureNode } from "@pml/analyzer";

/** A node with the nodes before it that call the capabilities it stands in: `n2/d1`. */
export interface Placed<Node extends StructureNode = StructureNode> {
  place: string;
  node: Node;
  /** Of the code it stands in. */
  analysis: Analysis;
}

/** Capabilities that call several others multiply: no report is worth more places than this. */
const MOST_PLACES = 5000;

/** Every node of the code and of what it calls, at every place it is called from. */
export function listPlaces(analysis: Analysis, find: (capability: string) => Analysis | undefined): Placed[] {
  const places: Placed[] = [];
  const waiting: { prefix: string; analysis: Analysis }[] = [{ prefix: "", analysis }];
  for (let at = waiting.shift(); at !== undefined && places.length < MOST_PLACES; at = waiting.shift()) {
    for (const node of at.analysis.structure.nodes) {
      const place = at.prefix + node.id;
      places.push({ place, node, analysis: at.analysis });
      const inner = node.type === "capability" ? find(nameOf(node)) : undefined;
      if (inner !== undefined) waiting.push({ prefix: `${place}/`, analysis: inner });
    }
  }
  return places;
}

export function isDecision(placed: Placed): placed is Placed<DecisionNode> {
  return placed.node.type === "decision";
}

/** As the code calls it. */
function nameOf({ capability, version }: { capability: string; version?: string }): string {
  return version === undefined ? capability : `${capability}@${version}`;
}
