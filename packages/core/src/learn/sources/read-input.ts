import type { ArgumentValue } from "@pml/analyzer";

import type { Plan, PlanStep } from "./plan.js";

/** What is known at one moment of the code that a plan is of. */
export interface Frame {
  readonly plan: Plan;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What steps gave, by `keyOfTurn`. */
  readonly results: ReadonlyMap<string, unknown>;
}

/** A step, at one turn of the loops around it. */
export interface Turn {
  readonly step: PlanStep;
  readonly iteration: readonly number[];
}

/** Names a step of a run: what it did at this turn. */
export function keyOfTurn(id: string, iteration: readonly number[]): string {
  return iteration.length === 0 ? id : `${id}[${iteration.join(".")}]`;
}

type Known = { readonly value: unknown } | undefined;

/** The input of a step as far as it is known; undefined while any part of it is not. */
export function readInput(frame: Frame, turn: Turn): Known {
  return turn.step.input && read(turn.step.input, frame, turn);
}

/** What a loop walks over, as far as that is known. */
export function readList(frame: Frame, loop: string, turn: Turn): readonly unknown[] | undefined {
  const list = frame.plan.loops.get(loop)?.list;
  const known = list && read(list, frame, turn);
  return Array.isArray(known?.value) ? known.value : undefined;
}

function read(value: ArgumentValue, frame: Frame, turn: Turn): Known {
  switch (value.type) {
    case "literal":
      return { value: value.value };
    case "parameter":
      return follow(frame.inputs, value.parameterName === "*" ? value.path : [value.parameterName, ...value.path]);
    case "reference":
      return readReference(value, frame, turn);
    case "expression":
      return readExpression(value, frame, turn);
  }
}

function readReference({ from, path }: ArgumentValue & { type: "reference" }, frame: Frame, turn: Turn): Known {
  const { step, iteration } = turn;
  const depth = step.loops.indexOf(from);
  if (depth !== -1) return follow(readList(frame, from, turn), [iteration[depth] ?? 0, ...path]);
  const source = frame.plan.steps.get(from);
  if (source === undefined) return undefined;
  const key = keyOfTurn(from, iteration.slice(0, source.loops.length));
  return frame.results.has(key) ? follow(frame.results.get(key), path) : undefined;
}

function readExpression(
  { fields, items, text }: ArgumentValue & { type: "expression" },
  frame: Frame,
  turn: Turn,
): Known {
  if (fields !== undefined) {
    const known = Object.entries(fields).map(([name, each]) => [name, read(each, frame, turn)] as const);
    if (!known.every(([, each]) => each !== undefined)) return undefined;
    return { value: Object.fromEntries(known.map(([name, each]) => [name, each?.value])) };
  }
  const known = (items ?? text)?.map((each) => read(each, frame, turn));
  if (known === undefined || !known.every((each) => each !== undefined)) return undefined;
  const values = known.map(({ value }) => value);
  if (items !== undefined) return { value: values };
  return values.every(isPlain) ? { value: values.join("") } : undefined;
}

/** What code reads as text without any method of it being asked. */
function isPlain(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

/** Own data only: what code gets from a prototype is not known here. */
function follow(start: unknown, path: readonly (string | number)[]): Known {
  let value = start;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value === undefined ? undefined : { value };
}
