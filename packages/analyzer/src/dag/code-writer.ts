import type { Guard, Path } from "../structure.js";
import { replaceNames } from "./close-expression.js";
import {
  type DagReturn,
  type DAGStructure,
  type DagTask,
  type DagValue,
  isFrom,
  isLiteral,
  isObject,
  isParam,
  listSources,
} from "./dag.js";

export interface Style {
  /** How what runs only sometimes is written: `if (…) { … }`, or `… ? … : undefined`, whose value others can use. */
  readonly guards: "block" | "ternary";
  /** How what may overlap is written: not at all, with `Promise.all`, or as promises that wait for each other. */
  readonly parallel: "none" | "all" | "started";
  /** Computations stand where they are used. */
  readonly inline?: boolean;
}

/** Writes a DAG as code in one style. */
export class CodeWriter {
  readonly #dag: DAGStructure;
  readonly #style: Style;
  readonly #lines: string[] = [];
  readonly #inlined = new Map<string, DagTask>();
  #indent = "";

  constructor(dag: DAGStructure, style: Style) {
    this.#dag = dag;
    this.#style = style;
    if (style.inline) for (const task of dag.tasks) if (this.#isUsedOnce(task)) this.#inlined.set(task.id, task);
  }

  write(): string {
    this.#region(undefined);
    return `${this.#lines.join("\n")}\n`;
  }

  /** Everything that runs under the same outcome of a decision. */
  #region(guard: string | undefined): void {
    const isHere = ({ when }: Pick<DagTask, "when">): boolean => keyOf(when) === guard;
    const tasks =
      this.#style.guards === "block" ? this.#dag.tasks.filter(isHere) : guard === undefined ? this.#dag.tasks : [];
    for (let at = 0; at < tasks.length;) {
      const group = this.#groupAt(tasks, at);
      if (group.length > 1) this.#together(group);
      else this.#single(tasks[at] as DagTask);
      at += Math.max(1, group.length);
    }
    const [first] = (this.#dag.returns ?? []).filter(isHere);
    if (first) this.#return(first);
  }

  #single(task: DagTask): void {
    if (this.#inlined.has(task.id)) return;
    if (task.forEach?.sequential) {
      const loop = `for (const item of ${this.#text(task.forEach.items)}) await ${this.#call(task)};`;
      this.#line(task.when && this.#style.guards === "ternary" ? `if (${this.#test(task.when)}) ${loop}` : loop);
    } else this.#line(`const ${task.id} = ${this.#guarded(task, this.#awaited(task))};`);
    if (task.metadata.decision) this.#branches(task);
  }

  #awaited(task: DagTask): string {
    if (task.type === "code_execution") return this.#expression(task);
    return this.#style.parallel === "started" && !task.when ? this.#started(task) : `await ${this.#once(task)}`;
  }

  /** A promise that waits for what it needs before it calls. */
  #started(task: DagTask): string {
    const waits = task.dependsOn.filter((id) => this.#isCall(id)).map((id) => `await ${id};`);
    return `(async () => { ${[...waits, `return ${this.#once(task)};`].join(" ")} })()`;
  }

  #together(group: readonly DagTask[]): void {
    const calls = group.filter(({ type }) => type !== "code_execution");
    for (const task of group) if (!calls.includes(task)) this.#single(task);
    this.#line(`const [${calls.map(({ id }) => id).join(", ")}] = await Promise.all([`);
    for (const task of calls) this.#line(`  ${this.#once(task)},`);
    this.#line("]);");
  }

  /** Tasks from here on that need nothing of each other, when there are two calls among them. */
  #groupAt(tasks: readonly DagTask[], from: number): DagTask[] {
    if (this.#style.parallel !== "all") return [];
    const group: DagTask[] = [];
    const ids = new Set<string>();
    for (const task of tasks.slice(from)) {
      const isPlain =
        !task.metadata.decision && !task.forEach?.sequential && (this.#style.guards === "block" || !task.when);
      const needsNone = task.dependsOn.every(
        (id) => !ids.has(id) || (this.#inlined.has(id) && task.type !== "code_execution"),
      );
      if (!isPlain || !needsNone) break;
      group.push(task);
      if (task.type !== "code_execution" || this.#inlined.has(task.id)) ids.add(task.id);
    }
    const last = group.findLastIndex(({ type }) => type !== "code_execution");
    const calls = group.filter(({ type }) => type !== "code_execution");
    return calls.length > 1 ? group.slice(0, last + 1) : [];
  }

  #branches({ id, metadata }: DagTask): void {
    const outcomes = (metadata.decision?.outcomes ?? []).filter((outcome) => this.#isGuarding(id, outcome));
    if (outcomes.length === 0) return;
    if (metadata.decision?.kind === "switch") return this.#switch(id, metadata.decision.outcomes);
    const [then, otherwise] = ["true", "false"].map((outcome) => (outcomes.includes(outcome) ? outcome : undefined));
    if (then === undefined) this.#line(`if (!${id}) {`);
    else this.#line(`if (${id}) {`);
    this.#block(keyOf({ decision: id, outcome: then ?? "false" }));
    if (then !== undefined && otherwise !== undefined) {
      this.#line("} else {");
      this.#block(keyOf({ decision: id, outcome: "false" }));
    }
    this.#line("}");
  }

  #switch(id: string, outcomes: readonly string[]): void {
    const { cases = [] } = this.#dag.tasks.find((task) => task.id === id)?.metadata.decision ?? {};
    this.#line(`switch (${id}) {`);
    let label = 0;
    for (const outcome of outcomes) {
      this.#line(outcome === "default" ? "  default: {" : `  case ${JSON.stringify(cases[label++])}: {`);
      this.#block(keyOf({ decision: id, outcome }), "    ");
      this.#line("    break;");
      this.#line("  }");
    }
    this.#line("}");
  }

  #block(guard: string | undefined, indent = "  "): void {
    const before = this.#indent;
    this.#indent += indent;
    this.#region(guard);
    this.#indent = before;
  }

  #isGuarding(decision: string, outcome: string): boolean {
    const isThis = ({ when }: Pick<DagTask, "when">): boolean =>
      when?.decision === decision && when.outcome === outcome;
    const tasks = this.#style.guards === "block" ? this.#dag.tasks : [];
    return tasks.some(isThis) || (this.#dag.returns ?? []).some(isThis);
  }

  #guarded({ when }: DagTask, text: string): string {
    if (!when || this.#style.guards === "block") return text;
    return when.outcome === "false"
      ? `${when.decision} ? undefined : ${text}`
      : `${this.#test(when)} ? ${text} : undefined`;
  }

  /** Whether a decision went this way, as an expression. */
  #test({ decision, outcome }: Guard): string {
    const {
      kind,
      outcomes = [],
      cases = [],
    } = this.#dag.tasks.find((task) => task.id === decision)?.metadata.decision ?? {};
    if (kind !== "switch") return outcome === "false" ? `!${decision}` : decision;
    const labels = outcomes.filter((each) => each !== "default");
    if (outcome !== "default") return `${decision} === ${JSON.stringify(cases[labels.indexOf(outcome)])}`;
    return `!${JSON.stringify(cases)}.includes(${decision})`;
  }

  #return({ value }: DagReturn): void {
    this.#line(value === undefined ? "return;" : `return ${this.#text(value)};`);
  }

  #once(task: DagTask): string {
    const { forEach } = task;
    return forEach ? `Promise.all(${this.#text(forEach.items)}.map((item) => ${this.#call(task)}))` : this.#call(task);
  }

  #call(task: DagTask): string {
    const fields = Object.entries(task.arguments).map(([name, value]) => `${key(name)}: ${this.#text(value, task.id)}`);
    const input = fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
    if (task.type === "capability") return `capabilities[${JSON.stringify(task.tool)}](${input})`;
    const colon = task.tool.indexOf(":");
    return `mcp${access(task.tool.slice(0, colon))}${access(task.tool.slice(colon + 1))}(${input})`;
  }

  #expression({ code = "", arguments: names }: DagTask): string {
    return replaceNames(code, (name) => (Object.hasOwn(names, name) ? this.#text(names[name] as DagValue) : undefined));
  }

  #text(value: DagValue, self?: string): string {
    if (isFrom(value)) return this.#result(value.$from, self) + pathText(value.path);
    if (isParam(value)) return `args${access(value.$param)}${pathText(value.path)}`;
    if (isLiteral(value)) return this.#text(value.$literal as DagValue, self);
    if (Array.isArray(value)) return `[${value.map((item) => this.#text(item, self)).join(", ")}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const fields = Object.entries(value).map(([name, field]) => `${key(name)}: ${this.#text(field, self)}`);
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }

  #result(id: string, self: string | undefined): string {
    if (id === self) return "item";
    const inlined = this.#inlined.get(id);
    if (inlined) return `(${this.#expression(inlined)})`;
    return this.#style.parallel === "started" && this.#isCall(id) ? `(await ${id})` : id;
  }

  #isCall(id: string): boolean {
    return this.#dag.tasks.some(
      (task) => task.id === id && task.type !== "code_execution" && !task.when && !task.forEach?.sequential,
    );
  }

  #isUsedOnce({ id, type, metadata }: DagTask): boolean {
    if (type !== "code_execution" || metadata.decision) return false;
    const values = this.#dag.tasks.flatMap((task) => [task.arguments, ...(task.forEach ? [task.forEach.items] : [])]);
    const uses = [...values, ...(this.#dag.returns ?? []).map((each) => each.value ?? null)].flatMap((value) =>
      listSources(value),
    );
    return uses.filter((use) => use === id).length === 1;
  }

  #line(text: string): void {
    this.#lines.push(this.#indent + text);
  }
}

function keyOf(guard: DagTask["when"]): string | undefined {
  return guard && `${guard.decision} ${guard.outcome}`;
}

function pathText(path: Path = []): string {
  return path.map((part) => (typeof part === "number" ? `[${part}]` : access(part))).join("");
}

function access(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function key(name: string): string {
  if (name === "__proto__") return `["__proto__"]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
