import { WHOLE_INPUT } from "../inputs.js";
import type {
  ArgumentValue,
  CapabilityNode,
  DecisionNode,
  ExpressionArgument,
  Guard,
  Json,
  LoopNode,
  Path,
  Return,
  StaticStructure,
  StructureNode,
  TaskNode,
} from "../structure.js";
import { closeExpression } from "./close-expression.js";
import { type DagMetadata, type DagParam, type DagReturn, type DagTask, type DagValue, type ForEach } from "./dag.js";
import { Order } from "./order.js";
import { numberOf, SELF } from "./task-ids.js";
import { type Draft, TaskList } from "./task-list.js";

/** Something has no form in a DAG. Never leaves this folder. */
export class NotADag extends Error {
  readonly line: number;

  constructor(reason: string, line: number) {
    super(reason);
    this.line = line;
  }
}

interface Subject {
  readonly structure: StaticStructure;
  readonly returns: readonly Return[];
  /** Of inputs that have one. */
  readonly defaults: ReadonlyMap<string, Json>;
}

/** Writes the tasks of a DAG, node by node. */
export class DagWriter {
  readonly #list = new TaskList();
  readonly nodes: Record<string, string> = {};
  readonly #taskOf = new Map<string, string>();
  readonly #computed = new Map<string, string>();
  readonly #defaults: Subject["defaults"];
  readonly #order: Order;
  readonly #loopOf = new Map<string, LoopNode>();
  /** Decisions that something depends on; the others only choose a value inside an expression. */
  readonly #guarding = new Set<string>();
  #line = 1;

  constructor({ structure, returns, defaults }: Subject) {
    this.#defaults = defaults;
    this.#order = new Order(structure, this.#list.ancestry);
    const loops = new Map(structure.nodes.flatMap((node) => (node.type === "loop" ? [[node.id, node]] : [])));
    for (const { from, to, type } of structure.edges) {
      const loop = type === "contains" ? loops.get(from) : undefined;
      if (loop) this.#loopOf.set(to, loop);
    }
    const decisions = new Map(structure.nodes.map((node) => [node.id, node]));
    const steps = structure.nodes.filter(({ type }) => type === "task" || type === "capability");
    const waiting = [...steps, ...returns].flatMap(({ when = [] }) => when);
    for (let guard = waiting.pop(); guard; guard = waiting.pop()) {
      if (this.#guarding.has(guard.decision)) continue;
      this.#guarding.add(guard.decision);
      waiting.push(...(decisions.get(guard.decision)?.when ?? []));
    }
  }

  get tasks(): readonly DagTask[] {
    return this.#list.tasks;
  }

  add(node: StructureNode): void {
    this.#line = node.line;
    if (node.type !== "capability" && (node.type !== "task" || node.pure)) this.#order.pass(node);
    switch (node.type) {
      case "task":
        return node.pure ? this.#addOperation(node) : this.#addCall(node);
      case "capability":
        return this.#addCall(node);
      case "decision":
        return this.#addDecision(node);
      case "loop":
        return this.#checkLoop(node);
      default:
        return;
    }
  }

  writeReturn({ value, when }: Return): DagReturn {
    const guard = this.#guard(when);
    const written = value && this.#value(value, guard);
    return { ...(written !== undefined && { value: written }), ...(guard && { when: guard }) };
  }

  #addCall(node: TaskNode | CapabilityNode): void {
    if (node.computed !== undefined) this.#fail(`the name in ${node.computed} is only known at run time`);
    if (node.spread) this.#fail("an input is handed on whole, and a DAG names each field");
    if (Object.keys(node.arguments).some((name) => name.startsWith("$")))
      this.#fail("a field of the input begins with $");
    const when = this.#guard(node.when);
    const inputs = Object.entries(node.arguments).map(
      ([name, value]) => [name, this.#value(value, when, node.id)] as const,
    );
    const forEach = this.#forEach(node, when);
    const reads = node.type === "task" && node.readOnly === true;
    const version = node.type === "capability" && node.version !== undefined ? `@${node.version}` : "";
    this.#link(node, {
      tool: node.type === "task" ? node.tool : node.capability + version,
      type: node.type === "task" ? "mcp_tool" : "capability",
      arguments: Object.fromEntries(inputs),
      sideEffects: !reads,
      ...(when && { when }),
      ...(forEach && { forEach }),
      metadata: {},
      after: this.#list.withoutExclusive(this.#order.waitsFor(node, reads), when),
    });
  }

  #addOperation(node: TaskNode): void {
    if (this.#loopOf.has(node.id)) this.#fail("a loop does more than call one tool");
    const when = this.#guard(node.when);
    const { standalone, arguments: names } = node;
    if (standalone === undefined) this.#fail(`${node.code ?? node.tool} uses what is not known before it runs`);
    this.#link(node, { ...this.#code(standalone, names, node.tool), ...(when && { when }), metadata: { pure: true } });
  }

  #addDecision(node: DecisionNode): void {
    if (this.#loopOf.has(node.id)) this.#fail("a loop does more than call one tool");
    if (!this.#guarding.has(node.id)) return;
    const when = this.#guard(node.when);
    const isSwitch = node.kind === "switch";
    if (isSwitch && !node.cases) this.#fail("a case of the switch is not a constant");
    const { outcomes, cases } = node;
    const decision =
      isSwitch && cases ? ({ kind: "switch", outcomes, cases } as const) : ({ kind: "truthy", outcomes } as const);
    const code = this.#testCode(node);
    const task = { ...code, ...(when && { when }), metadata: { pure: true, decision } satisfies DagMetadata };
    // Two tests of one constant are one decision.
    const id = this.#compute(task, /^[\w$]+$/.test(node.condition) ? node.condition : node.id);
    this.#taskOf.set(node.id, id);
    this.nodes[id] ??= node.id;
  }

  #testCode({
    test,
    kind,
    condition,
  }: DecisionNode): Pick<DagTask, "tool" | "type" | "code" | "arguments" | "sideEffects"> {
    if (!test) this.#fail(`nothing is known of ${condition}`);
    const isNullish = kind === "nullish";
    const { standalone, names } = expressionOf(test);
    if (standalone === undefined) this.#fail(`${condition} uses what is not known before it runs`);
    return this.#code(isNullish ? `(${standalone}) != null` : standalone, names, "code:decision");
  }

  #checkLoop(node: LoopNode): void {
    if (this.#loopOf.has(node.id)) this.#fail("a loop stands inside a loop");
    const isWalk = node.kind === "for-of" || (node.kind === "callback" && node.result !== undefined);
    if (!isWalk || !node.over) this.#fail(`a loop (${node.kind}) does not walk over a list`);
  }

  #forEach(node: StructureNode, when: Guard | undefined): ForEach | undefined {
    const loop = this.#loopOf.get(node.id);
    if (!loop?.over) return undefined;
    if (this.#taskOf.has(loop.id)) this.#fail("a loop does more than call one tool");
    const { result } = loop;
    const isPlain = !result || (result.type === "reference" && result.from === node.id && result.path.length === 0);
    if (!isPlain) this.#fail("a loop changes the result of what it calls");
    const items = this.#value(loop.over, when);
    return { items, ...(loop.kind === "for-of" && { sequential: true }) };
  }

  #value(value: ArgumentValue, when: Guard | undefined, user?: string): DagValue {
    switch (value.type) {
      case "literal":
        return literal(value.value);
      case "expression":
        return this.#expression(value, when, user);
      default:
        return this.#place(value, [], user);
    }
  }

  #expression(value: ExpressionArgument, when: Guard | undefined, user?: string): DagValue {
    const { fields, items, standalone } = value;
    if (items) return items.map((item) => this.#value(item, when, user));
    if (fields && !Object.keys(fields).some((key) => key.startsWith("$"))) {
      return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, this.#value(field, when, user)]));
    }
    if (standalone === undefined) this.#fail(`${value.expression} uses what is not known before it runs`);
    const code = this.#code(standalone, value.arguments ?? {}, "code:expression");
    return { $from: this.#compute({ ...code, ...(when && { when }), metadata: { pure: true } }) };
  }

  /** A result or an input, or the part of it at a path. */
  #place(value: ArgumentValue, path: Path, user?: string): DagValue {
    if (value.type === "parameter")
      return { ...this.#parameter(value.parameterName, [...value.path, ...path]), ...optionalIn(value) };
    if (value.type !== "reference") return this.#fail("a value has no place");
    const loop = user === undefined ? undefined : this.#loopOf.get(user);
    const from = loop?.id === value.from ? SELF : this.#taskOf.get(value.from);
    if (from === undefined) return this.#fail(`${value.expression} comes from a loop that a DAG cannot say`);
    const whole = [...value.path, ...path];
    return { $from: from, ...(whole.length > 0 && { path: whole }), ...optionalIn(value) };
  }

  #parameter(name: string, path: Path): DagParam {
    const [first, ...rest] = name === WHOLE_INPUT ? path : [name, ...path];
    if (typeof first !== "string") return this.#fail("the whole input is used");
    const preset = this.#defaults.get(first);
    return { $param: first, ...(rest.length > 0 && { path: rest }), ...(preset !== undefined && { default: preset }) };
  }

  #code(
    standalone: string,
    names: TaskNode["arguments"],
    tool: string,
  ): Pick<DagTask, "tool" | "type" | "code" | "arguments" | "sideEffects"> {
    const closed = closeExpression(standalone, names, (value, path) => this.#place(value, path));
    if (!closed) return this.#fail(`${standalone.slice(0, 40)} is too long once constants are written out`);
    return { tool, type: "code_execution", code: closed.code, arguments: closed.arguments, sideEffects: false };
  }

  /** A task that only computes; the same computation is one task. */
  #compute(draft: Draft, name = ""): string {
    const key = JSON.stringify([name, draft]);
    const id = this.#computed.get(key) ?? this.#list.add(draft);
    this.#computed.set(key, id);
    return id;
  }

  #link(node: StructureNode, draft: Draft): void {
    const id = this.#list.add(draft);
    this.#taskOf.set(node.id, id);
    const loop = this.#loopOf.get(node.id);
    if (loop) this.#taskOf.set(loop.id, id);
    this.nodes[id] = node.id;
    if (!draft.metadata.pure) this.#order.call(node, numberOf(id), !draft.sideEffects);
  }

  #guard(when: readonly Guard[] | undefined): Guard | undefined {
    if (!when) return undefined;
    const [only, ...others] = when;
    if (!only || others.length > 0) return this.#fail("a step is reached by several ways out of decisions");
    return { decision: this.#taskOf.get(only.decision) as string, outcome: only.outcome };
  }

  #fail(reason: string): never {
    throw new NotADag(reason, this.#line);
  }
}

function optionalIn({ optional }: { readonly optional?: true }): { optional?: true } {
  return optional ? { optional } : {};
}

function expressionOf(value: ArgumentValue): { standalone: string | undefined; names: TaskNode["arguments"] } {
  if (value.type === "expression") return { standalone: value.standalone, names: value.arguments ?? {} };
  if (value.type === "literal") return { standalone: JSON.stringify(value.value), names: {} };
  return { standalone: "value", names: { value } };
}

/** JSON that holds a key such as `$from` would be read as something else. */
function literal(value: Json): DagValue {
  return /"\$(from|param|literal)":/.test(JSON.stringify(value)) ? { $literal: value } : (value as DagValue);
}
