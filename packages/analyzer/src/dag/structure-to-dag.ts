import type { Analysis } from "../builder.js";
import { isStackOverflow } from "../error.js";
import type { Obstacle } from "../evaluate/machine.js";
import type { Json } from "../structure.js";
import { DagWriter, NotADag } from "./dag-writer.js";
import type { DAGStructure } from "./dag.js";

export type DagConversion =
  | {
      readonly ok: true;
      readonly dag: DAGStructure;
      /** For each task the node it comes from. What computes an argument has none. */
      readonly nodes: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly code: "NOT_A_DAG"; readonly reasons: readonly Obstacle[] };

/** The code as a DAG, or why it is none: then it runs as code. */
export function structureToDag(
  analysis: Pick<Analysis, "structure" | "returns" | "obstacles" | "parameters" | "parameterised">,
): DagConversion {
  if (analysis.obstacles.length > 0) return { ok: false, code: "NOT_A_DAG", reasons: analysis.obstacles };
  try {
    const writer = new DagWriter({ ...analysis, defaults: listDefaults(analysis) });
    for (const node of analysis.structure.nodes) writer.add(node);
    const returns = analysis.returns.map((each) => writer.writeReturn(each));
    const { tasks, nodes } = writer;
    return { ok: true, dag: { tasks, ...(returns.length > 0 && { returns }) }, nodes };
  } catch (error) {
    if (isStackOverflow(error))
      return { ok: false, code: "NOT_A_DAG", reasons: [{ reason: "an expression nests too deeply", line: 1 }] };
    if (!(error instanceof NotADag)) throw error;
    return { ok: false, code: "NOT_A_DAG", reasons: [{ reason: error.message, line: error.line }] };
  }
}

/** Defaults that the code itself has, not those of literals that could be lifted. */
function listDefaults({
  parameters,
  parameterised,
}: Pick<Analysis, "parameters" | "parameterised">): Map<string, Json> {
  const properties = Object.entries(parameters.properties ?? {});
  const own = properties.filter(
    ([name, schema]) => schema.default !== undefined && !Object.hasOwn(parameterised.defaults, name),
  );
  return new Map(own.map(([name, schema]) => [name, schema.default as Json]));
}
