import type { JsonSchema } from "@pml/analyzer";
import { computeCoverage, type FieldMapping } from "@pml/graph";

import { canonicalJson } from "../model/identity.js";

/** A capability of a pipeline, and what is known of its two ends. */
export interface PipelineStep {
  /** As the code is to call it. */
  call: string;
  /** `namespace:action`. */
  name: string;
  parameters: JsonSchema | undefined;
  /** Of what it returns; undefined when that is not known. */
  output: JsonSchema | undefined;
}

/** A field name good enough to be sure that an input that could stay at its default is meant to be filled. */
const SURE = 0.9;
const PLAIN_PATH = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Names that mean something else where the code runs. */
const NOT_FREE: ReadonlySet<string> = new Set(
  (
    "args await capabilities case catch class const context continue debugger default delete do else enum export extends " +
    "false finally for function if import in instanceof let mcp new null pml return static super switch this throw true " +
    "try typeof undefined var void while with yield"
  ).split(" "),
);

/** Code that runs the steps in order, each fed with what those before it returned, the rest from `args`. */
export function writePipeline(steps: readonly PipelineStep[]): string {
  const inputs = new Inputs();
  const lines = steps.map((step, index) => {
    const fields = fill(steps, index, inputs);
    const call = `await capabilities[${JSON.stringify(step.call)}]({ ${fields.join(", ")} })`;
    const isLast = index === steps.length - 1;
    return isLast ? `return ${call};` : `const ${resultOf(index)} = ${call};`;
  });
  return [...inputs.write(), ...lines].join("\n").replaceAll("({  })", "({})");
}

/** What each parameter of a step is given: a field of an earlier result, a whole result, or an input of the pipeline. */
function fill(steps: readonly PipelineStep[], index: number, inputs: Inputs): string[] {
  const step = steps[index] as PipelineStep;
  const filled = new Map<string, string>();
  for (let before = index - 1; before >= 0; before--)
    for (const [name, value] of connect(steps[before] as PipelineStep, step, resultOf(before)))
      if (!filled.has(name)) filled.set(name, value);
  const previous = resultOf(index - 1);
  const isFed = [...filled.values()].some((value) => value === previous || value.startsWith(`${previous}.`));
  const whole = index > 0 && !isFed ? findForWhole(steps[index - 1] as PipelineStep, step, filled) : undefined;
  if (whole !== undefined) filled.set(whole, previous);
  return listParameters(step).map(({ name, schema }) => {
    const value = filled.get(name) ?? inputs.take(name, { step, schema });
    return name === value ? name : `${quote(name)}: ${value}`;
  });
}

function connect(from: PipelineStep, to: PipelineStep, result: string): [name: string, value: string][] {
  if (from.output === undefined || to.parameters === undefined) return [];
  const coverage = computeCoverage(
    { id: from.name, outputSchema: from.output },
    { id: to.name, inputSchema: to.parameters },
  );
  const required = new Set(listParameters(to).flatMap(({ name, required }) => (required ? [name] : [])));
  const isMeant = ({ fromField, toField, typeCompatible, score }: FieldMapping): boolean =>
    typeCompatible && PLAIN_PATH.test(fromField) && (required.has(toField) || (score >= SURE && fromField === toField));
  return (coverage?.fieldMapping ?? []).filter(isMeant).map((each) => [each.toField, `${result}.${each.fromField}`]);
}

/** The parameter that takes all of the result before: the first that must be given, or the first there is. */
function findForWhole(from: PipelineStep, to: PipelineStep, filled: ReadonlyMap<string, string>): string | undefined {
  const open = listParameters(to).filter(({ name, schema }) => !filled.has(name) && accepts(schema, from.output));
  return (open.find(({ required }) => required) ?? open[0])?.name;
}

function accepts({ type }: JsonSchema, output: JsonSchema | undefined): boolean {
  const given = output?.type;
  if (type === undefined || given === undefined) return true;
  const wanted = [type].flat();
  return [given].flat().some((each) => wanted.includes(each) || (each === "integer" && wanted.includes("number")));
}

function listParameters({ parameters }: PipelineStep): { name: string; schema: JsonSchema; required: boolean }[] {
  const required = new Set(parameters?.required);
  const named = Object.entries(parameters?.properties ?? {});
  return named.map(([name, schema]) => ({ name, schema, required: required.has(name) }));
}

function resultOf(index: number): string {
  return `step${index + 1}`;
}

function quote(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/**
 * What the pipeline itself asks for. Two steps never share an input: the `path` that is read and the `path` that is
 * written are not the same.
 */
class Inputs {
  readonly #taken = new Map<string, { local: string; schema: JsonSchema }>();

  /** Gives the name of a variable that holds it. */
  take(name: string, { step, schema }: { step: PipelineStep; schema: JsonSchema }): string {
    const action = step.name.slice(step.name.indexOf(":") + 1);
    let key = this.#taken.has(name) ? `${action}_${name}` : name;
    for (let number = 2; this.#taken.has(key); number++) key = `${action}_${name}_${number}`;
    const isFree = IDENTIFIER.test(key) && !NOT_FREE.has(key) && !/^step\d+$/.test(key);
    const local = isFree ? key : `input${this.#taken.size + 1}`;
    this.#taken.set(key, { local, schema });
    return local;
  }

  write(): string[] {
    if (this.#taken.size === 0) return [];
    const parts = [...this.#taken].map(([key, { local, schema }]) => {
      const binding = key === local ? key : `${quote(key)}: ${local}`;
      return schema.default === undefined ? binding : `${binding} = ${canonicalJson(schema.default)}`;
    });
    return [`const { ${parts.join(", ")} } = args;`];
  }
}
