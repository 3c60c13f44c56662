import { AnalyzerError } from "../error.js";
import { kindOfName } from "../globals.js";
import { isName } from "../spelling.js";
import type { Guard } from "../structure.js";
import { freeNames } from "./close-expression.js";
import {
  type DagReturn,
  type DAGStructure,
  type DagTask,
  type DagValue,
  isFrom,
  isLiteral,
  isObject,
  isParam,
} from "./dag.js";

const TYPES = new Set(["mcp_tool", "capability", "code_execution"]);
const DEEPEST = 200;

/** Throws unless it is a DAG that can be written as code. */
export function checkDag(dag: DAGStructure): void {
  if (!isObject(dag) || !Array.isArray(dag.tasks)) throw invalid("it has no list of tasks");
  const known = new Map<string, DagTask>();
  for (const task of dag.tasks as readonly DagTask[]) {
    checkTask(task, known);
    known.set(task.id, task);
  }
  if (!Array.isArray(dag.returns ?? [])) throw invalid("what it returns is not a list");
  for (const each of (dag.returns ?? []) as readonly DagReturn[]) {
    if (typeof each !== "object" || each === null) throw invalid("what it returns is not a list of values");
    if (each.value !== undefined) checkValue(each.value, { known, where: "what it returns" });
    if (each.when !== undefined) checkGuard(each.when, known, "what it returns");
  }
}

type Known = ReadonlyMap<string, unknown>;

/** What stands before, and how to call the place in a message. */
interface Place {
  readonly known: Known;
  readonly where: string;
}

function checkTask(task: DagTask, known: ReadonlyMap<string, DagTask>): void {
  if (!isObject(task) || typeof task.id !== "string" || !isFreeName(task.id)) {
    throw invalid(`${JSON.stringify((task as Partial<DagTask> | null)?.id)} is not a task's id`);
  }
  const where = `task ${task.id}`;
  if (known.has(task.id)) throw invalid(`${where} is there twice`);
  if (!TYPES.has(task.type)) throw invalid(`${where} has the unknown type ${JSON.stringify(task.type)}`);
  if (typeof task.tool !== "string" || (task.type === "mcp_tool" && !/^[^:]+:.+$/s.test(task.tool))) {
    throw invalid(`${where} has no tool of the form server:name`);
  }
  if (!isObject(task.arguments) || !isObject(task.metadata)) throw invalid(`${where} lacks arguments or metadata`);
  if (!Array.isArray(task.dependsOn)) throw invalid(`${where} lacks dependsOn`);
  for (const id of task.dependsOn) checkKnown(id, known, where);
  if (task.when !== undefined) checkGuard(task.when, known, where);
  if (task.forEach !== undefined) checkList(task, known, where);
  const visible = task.forEach ? new Map([...known, [task.id, task]]) : known;
  for (const value of Object.values(task.arguments)) checkValue(value, { known: visible, where });
  if (task.type === "code_execution") checkCode(task, where);
}

/** Ids become names of variables. */
function isFreeName(id: string): boolean {
  if (!isName(id) || id.startsWith("__pml") || id === "item" || kindOfName(id) !== "input") return false;
  try {
    return freeNames(id).includes(id);
  } catch {
    return false;
  }
}

/** Tasks stand after what they need, so there is no circle. */
function checkKnown(id: unknown, known: Known, where: string): void {
  if (typeof id === "string" && known.has(id)) return;
  throw invalid(`${where} needs ${JSON.stringify(id)}, which does not stand before it`);
}

function checkGuard(when: Guard, known: ReadonlyMap<string, DagTask>, where: string): void {
  if (!isObject(when)) throw invalid(`${where} has a guard that is none`);
  checkKnown(when.decision, known, where);
  const outcomes = known.get(when.decision)?.metadata.decision?.outcomes ?? [];
  if (!outcomes.includes(when.outcome))
    throw invalid(`${where} waits for an outcome that ${when.decision} does not have`);
}

function checkList({ forEach }: DagTask, known: Known, where: string): void {
  const items = forEach?.items;
  if (items === undefined || !(isFrom(items) || isParam(items) || Array.isArray(items)))
    throw invalid(`${where} walks over no list`);
  checkValue(items, { known, where });
}

function checkValue(value: DagValue, { known, where }: Place, depth = 0): void {
  if (depth > DEEPEST) throw invalid(`${where} holds a value that nests too deeply, or itself`);
  if (value === null || /^(string|boolean)$/.test(typeof value) || Number.isFinite(value)) return;
  if (isFrom(value)) checkKnown(value.$from, known, where);
  const path = isFrom(value) || isParam(value) ? value.path : undefined;
  if (path !== undefined && !(Array.isArray(path) && path.every((part) => /^(string|number)$/.test(typeof part)))) {
    throw invalid(`${where} has a path that is no list of keys`);
  }
  if (isFrom(value) || isParam(value)) return;
  if (!Array.isArray(value) && !isObject(value)) throw invalid(`${where} holds a value that is not JSON`);
  const inner = isLiteral(value) ? new Map<string, unknown>() : known;
  for (const each of Object.values(isLiteral(value) ? [value.$literal] : value))
    checkValue(each as DagValue, { known: inner, where }, depth + 1);
}

function checkCode({ code, arguments: names }: DagTask, where: string): void {
  const name = Object.keys(names).find((each) => !isName(each));
  if (name !== undefined) throw invalid(`${where} has an argument that is no name: ${JSON.stringify(name)}`);
  let used: string[];
  try {
    if (typeof code !== "string") throw new SyntaxError("There is no code.");
    used = freeNames(code);
  } catch (cause) {
    throw invalid(`the code of ${where} is not an expression`, cause);
  }
  const foreign = used.find((each) => !Object.hasOwn(names, each) && kindOfName(each) !== "language");
  if (foreign !== undefined) throw invalid(`the code of ${where} uses ${foreign}, which is not among its arguments`);
}

function invalid(what: string, cause?: unknown): AnalyzerError {
  return new AnalyzerError("ANALYZER_INVALID_DAG", `This is not a DAG: ${what}.`, { cause });
}
