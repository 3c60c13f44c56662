import { AnalyzerError } from "../error.js";
import { replaceNames } from "./close-expression.js";
import {
  type DAGStructure,
  type DagTask,
  type DagValue,
  isFrom,
  isLiteral,
  isObject,
  isParam,
  listSources,
} from "./dag.js";

const TYPES = new Set(["mcp_tool", "capability", "code_execution"]);
const NAME = /^[A-Za-z_$][\w$]*$/;
/** Ids become names of variables. */
const RESERVED_ID = /^(__pml|args$|context$|mcp$|capabilities$|item$)/;

/** Throws unless it is a DAG that can be written as code. */
export function checkDag(dag: DAGStructure): void {
  if (!isObject(dag) || !Array.isArray(dag.tasks)) throw invalid("it has no list of tasks");
  const known = new Set<string>();
  for (const task of dag.tasks as readonly DagTask[]) {
    checkTask(task, known);
    known.add(task.id);
  }
  for (const { value, when } of dag.returns ?? []) {
    if (value !== undefined) checkValue(value, known, "what it returns");
    if (when) checkKnown([when.decision], known, "what it returns");
  }
}

function checkTask(task: DagTask, known: ReadonlySet<string>): void {
  if (!isObject(task) || typeof task.id !== "string" || !NAME.test(task.id) || RESERVED_ID.test(task.id)) {
    throw invalid(`${JSON.stringify((task as Partial<DagTask> | null)?.id)} is not a task's id`);
  }
  const where = `task ${task.id}`;
  if (known.has(task.id)) throw invalid(`${where} is there twice`);
  if (!TYPES.has(task.type)) throw invalid(`${where} has the unknown type ${JSON.stringify(task.type)}`);
  if (typeof task.tool !== "string" || (task.type === "mcp_tool" && !/^[^:]+:.+$/s.test(task.tool))) {
    throw invalid(`${where} has no tool of the form server:name`);
  }
  if (!isObject(task.arguments) || !Array.isArray(task.dependsOn))
    throw invalid(`${where} lacks arguments or dependsOn`);
  checkKnown(task.dependsOn, known, where);
  if (task.when) checkKnown([task.when.decision], known, where);
  if (task.forEach) checkValue(task.forEach.items, known, where);
  for (const value of Object.values(task.arguments))
    checkValue(value, task.forEach ? new Set([...known, task.id]) : known, where);
  if (task.type === "code_execution") checkCode(task, where);
}

/** Tasks stand after what they need, so there is no circle. */
function checkKnown(ids: readonly string[], known: ReadonlySet<string>, where: string): void {
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw invalid(`${where} needs ${JSON.stringify(missing)}, which does not stand before it`);
}

function checkValue(value: DagValue, known: ReadonlySet<string>, where: string): void {
  checkKnown(listSources(value), known, where);
  if (value === undefined || typeof value === "function") throw invalid(`${where} holds a value that is not JSON`);
  if (isFrom(value) || isParam(value) || isLiteral(value) || typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) checkValue(inner as DagValue, known, where);
}

function checkCode({ code, arguments: names }: DagTask, where: string): void {
  try {
    if (typeof code !== "string" || code.trim() === "") throw new SyntaxError("no code");
    replaceNames(code, () => undefined);
  } catch (cause) {
    throw invalid(`the code of ${where} is not an expression`, cause);
  }
  const name = Object.keys(names).find((each) => !NAME.test(each));
  if (name !== undefined) throw invalid(`${where} has an argument that is no name: ${JSON.stringify(name)}`);
}

function invalid(what: string, cause?: unknown): AnalyzerError {
  return new AnalyzerError("ANALYZER_INVALID_DAG", `This is not a DAG: ${what}.`, { cause });
}
