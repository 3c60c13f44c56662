import type { ArgumentValue, Path } from "@pml/analyzer";
import type { ArgumentSource, SourcePath } from "@pml/graph";

import type { Plan, PlanStep } from "./plan.js";

/** Where the code says that a step's input comes from; undefined where it is computed in a way that is not followed. */
export function sourceOf(step: PlanStep, plan: Plan): ArgumentSource | undefined {
  return step.input && describe(step.input, { step, plan });
}

/** The same for whoever does not know this code: the tools that gave something in place of its steps. */
export function generalise(source: ArgumentSource, plan: Plan): ArgumentSource {
  switch (source.from) {
    case "output":
      return { ...source, of: plan.steps.get(source.of)?.tool ?? source.of };
    case "text":
      return { from: "text", parts: source.parts.map((each) => (isText(each) ? each : generalise(each, plan))) };
    case "object":
      return { from: "object", fields: source.fields.map(([name, each]) => [name, generalise(each, plan)] as const) };
    case "list":
      return { from: "list", items: source.items.map((each) => generalise(each, plan)) };
    default:
      return source;
  }
}

interface Place {
  readonly step: PlanStep;
  readonly plan: Plan;
}

function describe(value: ArgumentValue, place: Place): ArgumentSource | undefined {
  switch (value.type) {
    case "literal":
      return { from: "literal" };
    case "parameter":
      return { from: "input", path: value.parameterName === "*" ? value.path : [value.parameterName, ...value.path] };
    case "reference":
      return describeReference(value.from, value.path, place);
    case "expression":
      return describeExpression(value, place);
  }
}

function describeReference(from: string, path: Path, place: Place): ArgumentSource | undefined {
  const turn = place.step.loops.indexOf(from);
  if (turn !== -1) return describeElement(from, [{ turn }, ...path], place);
  const source = place.plan.steps.get(from);
  // What another turn of a loop gave, or all its turns, is not one result.
  const isInReach = source?.loops.every((loop, at) => place.step.loops[at] === loop) === true;
  return isInReach ? { from: "output", of: from, path } : undefined;
}

/** The element of this turn is a part of what the loop walks over. */
function describeElement(loop: string, path: SourcePath, place: Place): ArgumentSource | undefined {
  const list = place.plan.loops.get(loop)?.list;
  const source = list && describe(list, place);
  if (source?.from === "literal") return source;
  return source?.from === "input" || source?.from === "output"
    ? { ...source, path: [...source.path, ...path] }
    : undefined;
}

function describeExpression(
  { fields, items, text }: ArgumentValue & { type: "expression" },
  place: Place,
): ArgumentSource | undefined {
  if (fields !== undefined) {
    const described = Object.entries(fields).map(([name, each]) => [name, describe(each, place)] as const);
    return described.every(isKnownField) ? { from: "object", fields: described } : undefined;
  }
  if (items !== undefined) {
    const described = items.map((each) => describe(each, place));
    return described.every((each) => each !== undefined) ? { from: "list", items: described } : undefined;
  }
  if (text === undefined) return undefined;
  const parts = text.map((part) => (part.type === "literal" ? String(part.value) : describe(part, place)));
  return parts.every((part) => part !== undefined) ? { from: "text", parts } : undefined;
}

function isKnownField(
  field: readonly [string, ArgumentSource | undefined],
): field is readonly [string, ArgumentSource] {
  return field[1] !== undefined;
}

function isText(part: string | ArgumentSource): part is string {
  return typeof part === "string";
}
