import { type FieldPair, mapInputs, mapOutputs, type NewSide } from "./map-tool.js";
import { fieldsOf, type OldTool } from "./old-tool.js";

/** A tool to call, with what it is given: fields of the old input, or, with `1.` before them, of the step before. */
export interface Step {
  readonly tool: string;
  readonly inputs: readonly FieldPair[];
}

/** A tool, or two of which the second is fed by the first, that can be called instead of another. */
export interface Substitute {
  readonly replaces: string;
  readonly steps: readonly Step[];
  /** From the result of the last step to that of the old tool. */
  readonly outputs: readonly FieldPair[] | "whole";
  /** What the old tool was given and this is not. */
  readonly dropped: readonly string[];
  /** How well the fields fit, in [0, 1]. */
  readonly fit: number;
}

/** A field of the first step's result, as the second step is given it. */
export const FIRST_RESULT = "1.";

/** All tools that can, by their schemas, be called instead; pairs of tools only where none can alone. */
export function findSubstitutes(
  old: OldTool,
  tools: readonly NewSide[],
  /** Whether the graph says that what the first gives is what the second takes. */
  provides: (first: string, second: string) => boolean,
): Substitute[] {
  const alone = tools.flatMap((tool) => standIn(old, tool) ?? []);
  if (alone.length > 0) return alone.sort((a, b) => b.fit - a.fit);
  const pairs = tools.flatMap((second) =>
    tools
      .filter((first) => first !== second && provides(first.id, second.id))
      .flatMap((first) => joinIn(old, { first, second }) ?? []),
  );
  return pairs.sort((a, b) => b.fit - a.fit);
}

function standIn(old: OldTool, tool: NewSide): Substitute | undefined {
  const inputs = mapInputs({ id: old.id, schema: old.given }, tool);
  const outputs = mapOutputs(old, tool);
  if (inputs === undefined || outputs === undefined) return undefined;
  return describe(old, { steps: [{ tool: tool.id, inputs }], outputs });
}

function joinIn(old: OldTool, { first, second }: { first: NewSide; second: NewSide }): Substitute | undefined {
  const inputs = mapInputs({ id: old.id, schema: old.given }, first);
  const outputs = mapOutputs(old, second);
  if (inputs === undefined || outputs === undefined) return undefined;
  const between = fieldsOf(first.outputSchema);
  const known = {
    ...fieldsOf(old.given),
    ...Object.fromEntries(Object.entries(between).map(([name, schema]) => [FIRST_RESULT + name, schema])),
  };
  const fed = mapInputs({ id: first.id, schema: { type: "object", properties: between } }, second);
  const mixed = fed ?? mapInputs({ id: first.id, schema: { type: "object", properties: known } }, second);
  const pairs = mixed?.map((pair) => (fed === undefined ? pair : { ...pair, from: FIRST_RESULT + pair.from }));
  // A second step that takes nothing of the first is none.
  if (pairs?.some(({ from }) => from.startsWith(FIRST_RESULT)) !== true) return undefined;
  return describe(old, {
    steps: [
      { tool: first.id, inputs },
      { tool: second.id, inputs: pairs },
    ],
    outputs,
  });
}

function describe(old: OldTool, { steps, outputs }: Pick<Substitute, "steps" | "outputs">): Substitute {
  const used = new Set(steps.flatMap(({ inputs }) => inputs.map(({ from }) => from)));
  const dropped = Object.keys(fieldsOf(old.given)).filter((name) => !used.has(name));
  const scores = [...steps.flatMap(({ inputs }) => inputs), ...(outputs === "whole" ? [] : outputs)].map(
    ({ score }) => score,
  );
  const mean = scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const fit = (mean * (used.size + 1)) / (used.size + dropped.length + 1);
  return { replaces: old.id, steps, outputs, dropped, fit };
}
