import type {
  AnyNode,
  BlockStatement,
  LabeledStatement,
  Pattern,
  ReturnStatement,
  Statement,
  TryStatement,
} from "acorn";

import { assign, forgetWrites, shareWith } from "./assign.js";
import { elementOf } from "./callbacks.js";
import { branch, decide, runSwitch } from "./decisions.js";
import { describe } from "./describe.js";
import type { NodeOf } from "./expressions.js";
import { distinct, type Exit, type Point } from "./flow.js";
import { runLoop } from "./loop.js";
import { inScope, lineOf, type Machine, mixed, obstruct } from "./machine.js";
import { ABSENT, opaque, sourcesOf, type Term, UNKNOWN } from "./values.js";

type StatementType =
  | Statement["type"]
  | "ClassDeclaration"
  | "FunctionDeclaration"
  | "VariableDeclaration"
  | "StaticBlock";
export type StatementVisitors = { [Type in StatementType]?: (machine: Machine, node: NodeOf<Type>) => void };

export const STATEMENTS: StatementVisitors = {
  ExpressionStatement: (machine, node) => void machine.evaluate(node.expression),
  BlockStatement: (machine, node) => executeAll(machine, node.body),
  StaticBlock: (machine, node) => executeAll(machine, node.body),
  VariableDeclaration(machine, node) {
    for (const { id, init } of node.declarations) {
      if (!init) {
        if (node.kind !== "var") assign(machine, id, ABSENT);
        continue;
      }
      const value = machine.evaluate(init);
      const binding = id.type === "Identifier" ? machine.scopes.bindingOf(id) : undefined;
      if (binding && !binding.reassigned && !binding.mutated) machine.initialisers.set(binding, init);
      shareWith(machine, id, init);
      assign(machine, id, value);
    }
  },
  ClassDeclaration: (machine, node) => void machine.evaluate(node),
  IfStatement(machine, node) {
    const test = { node: node.test, value: machine.evaluate(node.test) };
    decide(machine, { kind: "if", site: "decide", node, test }, [
      { outcome: "true", run: () => machine.execute(node.consequent) },
      { outcome: "false", run: () => node.alternate && machine.execute(node.alternate) },
    ]);
  },
  SwitchStatement: (machine, node) => runSwitch(machine, node),
  ForStatement(machine, node) {
    if (node.init?.type === "VariableDeclaration") machine.execute(node.init);
    else if (node.init) machine.evaluate(node.init);
    const { test, update } = node;
    repeat(machine, {
      node,
      kind: "for",
      condition: test ? machine.code.slice(test) : "",
      test,
      update,
      body: node.body,
    });
  },
  WhileStatement(machine, node) {
    const condition = machine.code.slice(node.test);
    repeat(machine, { node, kind: "while", condition, test: node.test, body: node.body });
  },
  DoWhileStatement(machine, node) {
    const condition = machine.code.slice(node.test);
    repeat(machine, { node, kind: "do-while", condition, update: node.test, body: node.body });
  },
  ForOfStatement(machine, node) {
    forEach(machine, node, node.await ? "for-await" : "for-of");
  },
  ForInStatement: (machine, node) => forEach(machine, node, "for-in"),
  ReturnStatement: (machine, node) => runReturn(machine, node),
  ThrowStatement(machine, node) {
    mixed(machine, machine.evaluate(node.argument));
    obstruct(machine, node, "it throws");
    machine.attempts.at(-1)?.push(machine.flow.here());
    machine.flow.dead = true;
  },
  TryStatement: (machine, node) => runTry(machine, node),
  LabeledStatement: (machine, node) => runLabeled(machine, node),
  BreakStatement(machine, node) {
    const jump = machine.jumps.findLast(({ label, kind }) =>
      node.label ? label === node.label.name : kind !== "block",
    );
    if (jump?.kind === "loop") obstruct(machine, node, "it leaves a loop early");
    else jump?.points.push(machine.flow.here());
    machine.flow.dead = true;
  },
  ContinueStatement(machine, node) {
    if (node.label) obstruct(machine, node, "it goes on with an outer loop");
    machine.flow.dead = true;
  },
};

/** Statements one after the other, up to where nothing is reached any more. */
export function executeAll(machine: Machine, statements: readonly AnyNode[]): void {
  for (const statement of statements) {
    if (statement.type === "FunctionDeclaration" && statement.id) machine.definitions.set(statement, machine.path);
  }
  for (const statement of statements) {
    if (machine.flow.dead) return;
    machine.execute(statement);
  }
}

interface Repetition {
  readonly node: AnyNode;
  readonly kind: "for" | "while" | "do-while";
  readonly condition: string;
  readonly test?: AnyNode | null | undefined;
  readonly update?: AnyNode | null | undefined;
  readonly body: AnyNode;
}

function repeat(machine: Machine, { node, kind, condition, test, update, body }: Repetition): void {
  runLoop(machine, { node, kind, condition, body }, () => {
    if (test) machine.evaluate(test);
    runIterationBody(machine, node, body);
    machine.flow.dead = false;
    if (update) machine.evaluate(update);
  });
}

function forEach(
  machine: Machine,
  node: NodeOf<"ForOfStatement" | "ForInStatement">,
  kind: "for-of" | "for-in" | "for-await",
): void {
  const over: Term = { node: node.right, value: machine.evaluate(node.right, kind === "for-await") };
  const condition = machine.code.slice(node.right);
  runLoop(machine, { node, kind, condition, over }, (id) => {
    const element = kind === "for-in" ? opaque(over.value) : elementOf(over, id);
    const { left } = node;
    if (left.type === "VariableDeclaration") shareWith(machine, left.declarations[0]?.id as Pattern, node.right);
    assign(machine, left.type === "VariableDeclaration" ? (left.declarations[0]?.id as AnyNode) : left, element);
    runIterationBody(machine, node, node.body);
  });
}

function runIterationBody(machine: Machine, node: AnyNode, body: AnyNode): void {
  machine.jumps.push({ label: labelOf(machine, node), kind: "loop", points: [] });
  const path = `${machine.path}${machine.sites.number("loop", node)}/`;
  inScope(machine, path, () => machine.execute(body));
  machine.jumps.pop();
}

function labelOf(machine: Machine, node: AnyNode): string | undefined {
  return machine.labels.get(node);
}

function runLabeled(machine: Machine, { label, body }: LabeledStatement): void {
  if (/^(For|While|DoWhile)/.test(body.type)) {
    machine.labels.set(body, label.name);
    return machine.execute(body);
  }
  const jump = { label: label.name, kind: "block" as const, points: [] as Point[] };
  machine.jumps.push(jump);
  machine.execute(body);
  machine.jumps.pop();
  forgetWrites(machine, body);
  if (jump.points.length === 0 || machine.quiet > 0) return;
  obstruct(machine, body, "it leaves a labelled block");
  const ends = machine.flow.dead ? jump.points : [...jump.points, machine.flow.here()];
  machine.flow.moveTo({ frontier: ends.flatMap((end) => end.frontier), guard: ends.flatMap((end) => end.guard) });
}

function runReturn(machine: Machine, node: ReturnStatement): void {
  const { flow, returns } = machine;
  const awaited = returns?.awaited ?? true;
  const value = node.argument ? machine.evaluate(node.argument, awaited) : UNKNOWN;
  if (awaited && machine.quiet === 0) flow.join(sourcesOf(value), lineOf(machine, node));
  if (returns) {
    returns.values.push(value);
    returns.points.push(flow.here());
  } else {
    if (flow.isInLoop) obstruct(machine, node, "it returns from inside a loop");
    const described = node.argument ? [{ value: describe(machine, { node: node.argument, value }) }] : [{}];
    machine.returned.push(
      ...described.map((each) => ({ ...each, ...(flow.guard.length > 0 && { when: flow.guard }) })),
    );
  }
  flow.dead = true;
}

/** Whatever is called inside may fail; the decision says whether something did. */
function runTry(machine: Machine, node: TryStatement): void {
  const { flow } = machine;
  const before = flow.here();
  const firstNew = flow.nodes.length;
  obstruct(machine, node, "it handles what may fail");
  const failing: Point[] = [];
  machine.attempts.push(failing);
  machine.environment.branch([() => (machine.execute(node.block), true), () => true]);
  forgetWrites(machine, node.block);
  machine.attempts.pop();
  const rethrown: Point[] = [];
  machine.attempts.push(rethrown);
  if (node.handler) runHandler(machine, node, { before, failing, firstNew });
  machine.attempts.pop();
  machine.attempts.at(-1)?.push(...rethrown);
  if (node.finalizer) runFinalizer(machine, node.finalizer, { before, failing: rethrown, firstNew });
}

interface Attempt {
  readonly before: Point;
  readonly failing?: readonly Point[];
  readonly firstNew: number;
}

function runHandler(machine: Machine, node: TryStatement, { before, failing = [], firstNew }: Attempt): void {
  const { flow } = machine;
  const { handler } = node;
  const isDone = flow.dead;
  const run = (): void => {
    if (handler?.param) assign(machine, handler.param, UNKNOWN);
    if (handler) machine.execute(handler.body);
  };
  const arms = [
    { outcome: "ok", run: () => void (flow.dead = isDone) },
    { outcome: "error", run },
  ];
  if (machine.quiet > 0) return branch(machine, "", arms);
  const tried = flow.stepsSince(firstNew);
  const after = flow.here();
  const thrown = failing.flatMap((point) => point.frontier);
  const exits = [...tried.map((from): Exit => ({ from })), ...thrown, ...(isDone ? [] : after.frontier)];
  const frontier = exits.length > 0 ? distinct(exits) : before.frontier;
  flow.moveTo({ frontier, guard: before.guard });
  const condition = handler?.param ? machine.code.slice(handler.param) : "";
  const id = flow.add({
    id: flow.id("d"),
    type: "decision",
    kind: "catch",
    condition,
    outcomes: ["ok", "error"],
    line: lineOf(machine, node),
  });
  const count = flow.nodes.length;
  branch(machine, id, arms);
  if (tried.length === 0 && flow.nodes.length === count && !flow.dead) flow.remove(id, isDone ? before : after);
  else machine.sites.aim(machine.path, machine.sites.number("try", node), id);
}

/** It runs however the block was left. */
function runFinalizer(machine: Machine, finalizer: BlockStatement, { before, failing = [], firstNew }: Attempt): void {
  const { flow } = machine;
  const isDone = flow.dead;
  const last = flow.nodes.slice(firstNew).at(-1);
  const thrown = failing.flatMap((point) => point.frontier);
  const left = isDone && thrown.length === 0 ? (last ? [{ from: last.id }] : before.frontier) : [];
  flow.moveTo({ frontier: [...(isDone ? [] : flow.frontier), ...thrown, ...left], guard: before.guard });
  machine.execute(finalizer);
  flow.dead ||= isDone;
}
