import type { AnyNode, AssignmentExpression, LogicalExpression, SwitchStatement } from "acorn";

import { labelOf } from "../parse/patterns.js";
import type { SiteKind } from "../rewrite/sites.js";
import type { DecisionKind, DecisionNode, Json } from "../structure.js";
import { forgetWrites } from "./assign.js";
import { describe } from "./describe.js";
import { assignTo, type ExpressionVisitors } from "./expressions.js";
import type { Point } from "./flow.js";
import { lineOf, type Machine } from "./machine.js";
import { keepConstants } from "./names.js";
import { either, isAbsent, jsonOf, opaque, type Term, UNKNOWN, type Value } from "./values.js";

/** A way out of a decision, and what happens there. */
export interface Arm {
  readonly outcome: string;
  run(): void;
}

const NOTHING = (): void => {};

export const DECISIONS: ExpressionVisitors = {
  ConditionalExpression(machine, node, awaited) {
    const test = machine.evaluate(node.test);
    const firstNew = machine.flow.nodes.length;
    const values: Value[] = [];
    decide(machine, { kind: "ternary", site: "decide", node, test: { node: node.test, value: test } }, [
      { outcome: "true", run: () => void values.push(machine.evaluate(node.consequent, awaited)) },
      { outcome: "false", run: () => void values.push(machine.evaluate(node.alternate, awaited)) },
    ]);
    const value = whatRan(machine, values, firstNew) ?? either(values);
    return value.kind === "opaque" ? opaque(value, test) : value;
  },
  LogicalExpression: (machine, node, awaited) => evaluateLogical(machine, node, awaited),
  AssignmentExpression(machine, node, awaited) {
    if (/^(&&|\|\||\?\?)=$/.test(node.operator)) return evaluateLogical(machine, node, awaited);
    const isPlain = node.operator === "=";
    const before = isPlain && node.left.type !== "MemberExpression" ? UNKNOWN : machine.evaluate(node.left);
    const value = machine.evaluate(node.right);
    const result = isPlain ? value : opaque(before, value);
    assignTo(machine, node.left, result);
    return result;
  },
};

/** `test ? await call() : undefined` is the result of the call: where that is skipped, it has none. */
function whatRan({ flow }: Machine, values: readonly Value[], firstNew: number): Value | undefined {
  const [ran, ...others] = values.filter((value) => !isAbsent(value));
  if (ran?.kind !== "reference" || others.length > 0 || values.length < 2) return undefined;
  return flow.nodes.findIndex(({ id }) => id === ran.node) >= firstNew ? ran : undefined;
}

export interface Choice {
  readonly kind: DecisionKind;
  readonly site: SiteKind;
  readonly node: AnyNode;
  readonly test: Term;
  readonly cases?: readonly Json[];
}

/** Adds a decision and runs each of its arms from there. */
export function decide(machine: Machine, choice: Choice, arms: readonly Arm[]): void {
  if (machine.quiet > 0) return branch(machine, "", arms);
  const id = machine.flow.add(decisionOf(machine, choice, arms));
  machine.sites.aim(machine.path, machine.sites.number(choice.site, choice.node), id);
  branch(machine, id, arms);
}

/** Runs each arm from the same start; what follows, follows every arm that goes on. */
export function branch(machine: Machine, decision: string, arms: readonly Arm[]): void {
  const { flow, environment } = machine;
  const before = flow.here();
  const ends: Point[] = [];
  const starts = arms.map(({ outcome }): Point => ({
    frontier: [{ from: decision, outcome }],
    guard: [{ decision, outcome }],
  }));
  environment.branch(
    arms.map(({ run }, index) => () => {
      flow.moveTo(machine.quiet > 0 ? before : (starts[index] as Point));
      run();
      if (flow.dead) return false;
      ends.push(flow.here());
      return true;
    }),
  );
  if (machine.quiet > 0) flow.moveTo(before);
  else if (ends.length > 0) {
    const isWhole =
      ends.length === arms.length && ends.every(({ guard }) => starts.some((start) => start.guard === guard));
    const guard = isWhole ? before.guard : ends.flatMap((end) => end.guard);
    flow.moveTo({ frontier: ends.flatMap((end) => end.frontier), guard });
  }
}

export function runSwitch(machine: Machine, node: SwitchStatement): void {
  const test = { node: node.discriminant, value: machine.evaluate(node.discriminant) };
  const labels = node.cases.map((each) => labelOf(each, machine.code));
  const cases = node.cases.flatMap(({ test }) => (test ? [jsonOf(machine.evaluate(test))] : []));
  const outcomes = labels.includes("default") ? labels : [...labels, "default"];
  const arms = outcomes.map((outcome) => ({ outcome, run: NOTHING }));
  const comparable = cases.every((value) => value !== undefined && (typeof value !== "object" || value === null));
  const choice: Choice = { kind: "switch", site: "switch", node, test, ...(comparable && { cases: cases as Json[] }) };
  if (machine.quiet > 0) return runCases(machine, node, { id: "", labels });
  const id = machine.flow.add(decisionOf(machine, choice, arms));
  machine.sites.aim(machine.path, machine.sites.number("switch", node), id);
  runCases(machine, node, { id, labels });
}

/** Each case starts at the decision, and where the one before falls through. */
function runCases(
  machine: Machine,
  node: SwitchStatement,
  { id, labels }: { id: string; labels: readonly string[] },
): void {
  const { flow } = machine;
  const before = flow.here();
  const jump = { label: undefined, kind: "switch" as const, points: [] as Point[] };
  machine.jumps.push(jump);
  let falling: Point | undefined;
  node.cases.forEach((each, index) => {
    const outcome = labels[index] as string;
    const start: Point = { frontier: [{ from: id, outcome }], guard: [{ decision: id, outcome }] };
    flow.moveTo(machine.quiet > 0 ? before : falling ? together([falling, start]) : start);
    machine.environment.branch([() => (each.consequent.forEach((inner) => machine.execute(inner)), true), () => true]);
    falling = flow.dead ? undefined : flow.here();
  });
  machine.jumps.pop();
  if (jump.points.length > 0) forgetWrites(machine, node);
  const ends = [...jump.points, ...(falling ? [falling] : [])];
  if (!labels.includes("default")) {
    ends.push({ frontier: [{ from: id, outcome: "default" }], guard: [{ decision: id, outcome: "default" }] });
  }
  if (machine.quiet > 0) return flow.moveTo(before);
  flow.dead = ends.length === 0;
  const guards = ends.flatMap((end) => end.guard);
  const covered = new Set(guards.map(({ outcome }) => outcome));
  const isWhole =
    guards.every(({ decision }) => decision === id) && [...labels, "default"].every((each) => covered.has(each));
  if (!flow.dead) flow.moveTo({ ...together(ends), ...(isWhole && { guard: before.guard }) });
}

/** More ways than these are not told one by one. */
const MOST_GUARDS = 50;

function together(points: readonly Point[]): Point {
  const guard = points.flatMap((point) => point.guard).slice(0, MOST_GUARDS);
  return { frontier: points.flatMap((point) => point.frontier), guard };
}

function decisionOf(machine: Machine, { kind, node, test, cases }: Choice, arms: readonly Arm[]): DecisionNode {
  const { value } = test;
  keepConstants(machine, test.node);
  // Code that asks whether an input is there can do without it.
  if (kind !== "switch" && value.kind === "parameter" && value.path.length === 0) machine.inputs.optional(value.name);
  return {
    id: machine.flow.id("d"),
    type: "decision",
    kind,
    condition: machine.code.slice(test.node),
    outcomes: arms.map((arm) => arm.outcome),
    test: describe(machine, test),
    ...(cases && { cases }),
    line: lineOf(machine, node),
  };
}

const LOGICAL: Readonly<Record<string, { kind: DecisionKind; goesOn: "true" | "false" }>> = {
  "&&": { kind: "and", goesOn: "true" },
  "||": { kind: "or", goesOn: "false" },
  "??": { kind: "nullish", goesOn: "false" },
};

/** A decision only where the right side does something; else it is just a value. */
function evaluateLogical(machine: Machine, node: LogicalExpression | AssignmentExpression, awaited: boolean): Value {
  const { kind, goesOn } = LOGICAL[node.operator.slice(0, 2)] as (typeof LOGICAL)[string];
  const left = machine.evaluate(node.left);
  const { flow } = machine;
  const before = flow.here();
  let right: Value = UNKNOWN;
  const outcomes = ["true", "false"];
  const arms = outcomes.map((outcome) => ({
    outcome,
    run: outcome === goesOn ? () => void (right = machine.evaluate(node.right, awaited)) : NOTHING,
  }));
  if (machine.quiet > 0) branch(machine, "", arms);
  else {
    const id = flow.add(
      decisionOf(machine, { kind, site: "decide", node, test: { node: node.left, value: left } }, arms),
    );
    branch(machine, id, arms);
    if (flow.nodes.at(-1)?.id === id) flow.remove(id, before);
    else machine.sites.aim(machine.path, machine.sites.number(siteOf(node), node), id);
  }
  const value = kind === "nullish" ? orElse(machine, left, right) : opaque(left, right);
  if (node.type === "AssignmentExpression") assignTo(machine, node.left, value);
  return value;
}

function siteOf(node: LogicalExpression | AssignmentExpression): SiteKind {
  if (node.type === "AssignmentExpression") return "otherwise";
  return node.operator === "??" ? "present" : "decide";
}

/** `args.limit ?? 10`: an input with a default. */
function orElse(machine: Machine, left: Value, right: Value): Value {
  const json = jsonOf(right);
  if (left.kind !== "parameter" || left.path.length > 0 || left.name === "*" || json === undefined)
    return opaque(left, right);
  machine.inputs.optional(left.name, json);
  return left;
}
