import type { Comment } from "acorn";

import type { SourceText } from "./parse/source-text.js";
import type { CapabilityNode, StaticStructure, StructureEdge, TaskNode } from "./structure.js";

/** What a comment says about the call that follows it. */
export interface Annotation {
  readonly kind: "depends" | "branches";
  readonly values: readonly string[];
  readonly line: number;
  /** The call it is about; absent when none follows. */
  readonly node?: string;
}

const ANNOTATION = /@pml-(depends|branches):\s*\[([^\]]*)\]/;

type Call = TaskNode | CapabilityNode;

export function readAnnotations(
  comments: readonly Comment[],
  code: SourceText,
  { nodes }: StaticStructure,
): Annotation[] {
  return comments.flatMap(({ value, end }): Annotation[] => {
    const [, kind, list = ""] = ANNOTATION.exec(value) ?? [];
    if (kind === undefined) return [];
    const { line } = code.position(end);
    const values = list
      .split(",")
      .map((each) => each.trim().replace(/^(["'`])(.*)\1$/, "$2"))
      .filter((each) => each !== "");
    const node = nodes
      .filter(isCall)
      .filter((call) => call.line >= line)
      .sort((a, b) => a.line - b.line)[0];
    return [{ kind: kind as Annotation["kind"], values, line, ...(node && { node: node.id }) }];
  });
}

/** The structure with what the annotations add to it. */
export function annotate({ nodes, edges }: StaticStructure, annotations: readonly Annotation[]): StaticStructure {
  const branches = new Map(
    annotations.flatMap(({ kind, node, values }) => (kind === "branches" && node ? [[node, values]] : [])),
  );
  const declared = annotations.flatMap(({ kind, node, values }): StructureEdge[] => {
    if (kind !== "depends" || node === undefined) return [];
    const before = nodes
      .slice(
        0,
        nodes.findIndex(({ id }) => id === node),
      )
      .filter(isCall);
    const named = values.map((value) => before.findLast((call) => nameOf(call) === value));
    return named.flatMap((call) =>
      call ? [{ from: call.id, to: node, type: "sequence", declared: true } as const] : [],
    );
  });
  const isNew = (edge: StructureEdge): boolean =>
    !edges.some(({ from, to, type }) => from === edge.from && to === edge.to && type === edge.type);
  return {
    nodes: nodes.map((node) => (branches.has(node.id) ? ({ ...node, branches: branches.get(node.id) } as Call) : node)),
    edges: [...edges, ...declared.filter(isNew)],
  };
}

function isCall(node: StaticStructure["nodes"][number]): node is Call {
  return node.type === "task" || node.type === "capability";
}

function nameOf(call: Call): string {
  return call.type === "task" ? call.tool : call.capability;
}
