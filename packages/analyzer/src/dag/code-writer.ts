import type { Guard } from "../structure.js";
import { callText, defaultText, expressionText, valueText } from "./code-text.js";
import {
  type DagParam,
  type DAGStructure,
  type DagTask,
  type DagValue,
  isLiteral,
  isParam,
  listSources,
} from "./dag.js";
import { type Block, type Entry, isBlock, layOut, type Step } from "./layout.js";

export interface Style {
  /** How what may overlap is written: not at all, with `Promise.all`, or as promises that wait for each other. */
  readonly parallel: "none" | "all" | "started";
  /** Operations stand where they are used, as expressions always do. */
  readonly inline?: boolean;
}

/** Writes a DAG as code in one style. */
export class CodeWriter {
  readonly #dag: DAGStructure;
  readonly #style: Style;
  readonly #lines: string[] = [];
  readonly #inlined: ReadonlyMap<string, DagTask>;
  readonly #byId: ReadonlyMap<string, DagTask>;
  #indent = "";

  constructor(dag: DAGStructure, style: Style) {
    this.#dag = dag;
    this.#style = style;
    this.#byId = new Map(dag.tasks.map((task) => [task.id, task]));
    this.#inlined = listInlined(dag, style);
  }

  write(): string {
    for (const param of listPresets(this.#dag)) this.#line(defaultText(param));
    const entries = layOut(this.#dag, this.#inlined);
    const last = entries.at(-1);
    const [ending, before] = last && !isBlock(last) && last.returned ? [[last], entries.slice(0, -1)] : [[], entries];
    this.#entries(before);
    // What was started and is not waited for by anyone still has to end.
    for (const { id } of this.#dag.tasks) if (this.#isPromise(id)) this.#line(`await ${id};`);
    this.#entries(ending);
    return `${this.#lines.join("\n")}\n`;
  }

  #entries(entries: readonly Entry[]): void {
    for (let at = 0; at < entries.length;) {
      const blocks = blocksAt(entries, at);
      const group = this.#groupAt(entries, at);
      if (blocks.length > 0) this.#outcomes(blocks);
      else if (group.length > 1) this.#together(group);
      else this.#step(entries[at] as Step);
      at += Math.max(1, blocks.length, group.length);
    }
  }

  #step({ task, returned, guards }: Step): void {
    const condition = guards.length === 0 ? "" : `if (${this.#test(guards)}) `;
    if (returned)
      this.#line(`${condition}return${returned.value === undefined ? "" : ` ${this.#text(returned.value)}`};`);
    if (!task) return;
    if (isCall(task) && !this.#isPromise(task.id)) for (const wait of this.#waits(task)) this.#line(wait);
    if (task.forEach?.sequential) {
      this.#line(`${condition}for (const item of ${this.#text(task.forEach.items)}) await ${this.#call(task)};`);
    } else this.#line(`const ${task.id} = ${this.#guarded(guards, this.#value(task))};`);
  }

  #value(task: DagTask): string {
    if (task.type === "code_execution") return expressionText(task, (id) => this.#result(id));
    return this.#style.parallel === "started" && !task.when ? this.#started(task) : `await ${this.#once(task)}`;
  }

  /** A promise that waits for what it needs before it calls. */
  #started(task: DagTask): string {
    return `(async () => { ${[...this.#waits(task), `return ${this.#once(task)};`].join(" ")} })()`;
  }

  #waits({ dependsOn }: DagTask): string[] {
    return dependsOn.filter((id) => this.#isPromise(id)).map((id) => `await ${id};`);
  }

  #together(group: readonly Step[]): void {
    const calls = group.flatMap(({ task }) => (task && isCall(task) ? [task] : []));
    for (const step of group) if (step.task && !isCall(step.task)) this.#step(step);
    this.#line(`const [${calls.map(({ id }) => id).join(", ")}] = await Promise.all([`);
    for (const task of calls) this.#line(`  ${this.#once(task)},`);
    this.#line("]);");
  }

  /** Steps from here on that need nothing of each other, when there are two calls among them. */
  #groupAt(entries: readonly Entry[], from: number): Step[] {
    if (this.#style.parallel !== "all") return [];
    const group: Step[] = [];
    const calls = new Set<string>();
    for (const entry of entries.slice(from)) {
      const task = isBlock(entry) || entry.guards.length > 0 ? undefined : entry.task;
      if (
        !task ||
        task.metadata.decision ||
        task.forEach?.sequential ||
        task.dependsOn.some((id) => this.#needs(id, calls))
      )
        break;
      group.push(entry as Step);
      if (isCall(task)) calls.add(task.id);
    }
    const last = group.findLastIndex(({ task }) => task && isCall(task));
    // Calls that only read are not kept in order anyway.
    const isNeeded = calls.size > 1 && [...calls].some((id) => this.#byId.get(id)?.sideEffects !== false);
    return isNeeded ? group.slice(0, last + 1) : [];
  }

  /** Whether a task is one of `calls`, or is written in place and needs one. */
  #needs(id: string, calls: ReadonlySet<string>): boolean {
    return calls.has(id) || (this.#inlined.get(id)?.dependsOn ?? []).some((inner) => this.#needs(inner, calls));
  }

  /** Blocks of one decision, one after the other. */
  #outcomes(blocks: readonly Block[]): void {
    const [{ decision: id }] = blocks as [Block];
    const under = (outcome: string): readonly Entry[] =>
      blocks.find((block) => block.outcome === outcome)?.entries ?? [];
    const { kind, outcomes = [], cases = [] } = this.#byId.get(id)?.metadata.decision ?? {};
    if (kind === "switch") {
      this.#line(`switch (${id}) {`);
      let label = 0;
      for (const outcome of outcomes) {
        this.#line(outcome === "default" ? "  default: {" : `  case ${JSON.stringify(cases[label++])}: {`);
        this.#block(under(outcome), "    ");
        this.#line("    break;");
        this.#line("  }");
      }
    } else {
      this.#line(`if (${id}) {`);
      this.#block(under("true"), "  ");
      if (under("false").length > 0) {
        this.#line("} else {");
        this.#block(under("false"), "  ");
      }
    }
    this.#line("}");
  }

  #block(entries: readonly Entry[], indent: string): void {
    const before = this.#indent;
    this.#indent += indent;
    this.#entries(entries);
    this.#indent = before;
  }

  #guarded(guards: readonly Guard[], text: string): string {
    const [only, ...more] = guards;
    if (!only) return text;
    if (more.length === 0 && only.outcome === "false") return `${only.decision} ? undefined : ${text}`;
    return `${this.#test(guards)} ? ${text} : undefined`;
  }

  /** Whether decisions went this way, as an expression. */
  #test(guards: readonly Guard[]): string {
    return guards.map((guard) => this.#testOne(guard)).join(" && ");
  }

  #testOne({ decision, outcome }: Guard): string {
    const { kind, outcomes = [], cases = [] } = this.#byId.get(decision)?.metadata.decision ?? {};
    if (kind !== "switch") return outcome === "false" ? `!${decision}` : decision;
    if (outcome === "default") return `!${JSON.stringify(cases)}.includes(${decision})`;
    const label = outcomes.filter((each) => each !== "default").indexOf(outcome);
    return `${decision} === ${JSON.stringify(cases[label])}`;
  }

  #once(task: DagTask): string {
    const { forEach } = task;
    return forEach ? `Promise.all(${this.#text(forEach.items)}.map((item) => ${this.#call(task)}))` : this.#call(task);
  }

  #call(task: DagTask): string {
    return callText(task, (id) => this.#result(id));
  }

  #text(value: DagValue): string {
    return valueText(value, (id) => this.#result(id));
  }

  #result(id: string): string {
    const inlined = this.#inlined.get(id);
    if (inlined) return `(${expressionText(inlined, (inner) => this.#result(inner))})`;
    return this.#isPromise(id) ? `(await ${id})` : id;
  }

  #isPromise(id: string): boolean {
    const task = this.#byId.get(id);
    return (
      this.#style.parallel === "started" &&
      task !== undefined &&
      isCall(task) &&
      !task.when &&
      !task.forEach?.sequential
    );
  }

  #line(text: string): void {
    this.#lines.push(this.#indent + text);
  }
}

/** Blocks from here on that belong to one decision, each outcome once. */
function blocksAt(entries: readonly Entry[], from: number): Block[] {
  const blocks: Block[] = [];
  for (const entry of entries.slice(from)) {
    const isNext = isBlock(entry) && entry.decision === (blocks[0] ?? entry).decision;
    if (!isNext || blocks.some(({ outcome }) => outcome === entry.outcome)) break;
    blocks.push(entry);
  }
  return blocks;
}

/** Inputs that have a default, each once. */
function listPresets({ tasks, returns = [] }: DAGStructure): DagParam[] {
  const found = new Map<string, DagParam>();
  const visit = (value: DagValue): void => {
    if (isParam(value)) {
      if (value.default !== undefined && !found.has(value.$param)) found.set(value.$param, value);
    } else if (typeof value === "object" && value !== null && !isLiteral(value)) Object.values(value).forEach(visit);
  };
  for (const { arguments: inputs, forEach } of tasks) [inputs, forEach?.items ?? null].forEach(visit);
  for (const { value = null } of returns) visit(value);
  return [...found.values()];
}

function isCall({ type }: DagTask): boolean {
  return type !== "code_execution";
}

/** Computations that are used once and can stand where they are used; an operation only if it comes just before. */
function listInlined({ tasks, returns = [] }: DAGStructure, { inline = false }: Style): Map<string, DagTask> {
  const users = new Map<string, number[]>();
  const use = (value: DagValue, user: number): void => {
    for (const id of listSources(value)) users.set(id, [...(users.get(id) ?? []), user]);
  };
  tasks.forEach((task, index) => {
    use(task.arguments, task.forEach ? Number.NaN : index);
    if (task.forEach) use(task.forEach.items, index);
  });
  for (const { value = null } of returns) use(value, tasks.length);
  const inlined = new Map<string, DagTask>();
  for (const [index, task] of [...tasks.entries()].reverse()) {
    const [user = Number.NaN, ...others] = users.get(task.id) ?? [];
    // In a task that is repeated, what an argument computes would be computed for each item.
    if (task.type !== "code_execution" || task.metadata.decision || others.length > 0 || Number.isNaN(user)) continue;
    const isJustBefore = tasks
      .slice(index + 1, user)
      .every(({ id, tool }) => inlined.has(id) || tool === "code:expression");
    if (task.tool === "code:expression" || (inline && isJustBefore)) inlined.set(task.id, task);
  }
  return inlined;
}
