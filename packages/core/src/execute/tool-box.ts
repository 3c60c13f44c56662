import { CAPABILITY_SERVER, isReservedName } from "@pml/sandbox";
import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { LRUCache } from "lru-cache";

import { invalidInput, PmlError } from "../model/error.js";
import { canonicalJson } from "../model/identity.js";
import { checkText } from "../model/text.js";
import { checkToolId, type Tool } from "../model/tool.js";
import { runWithin } from "./run-within.js";

interface Entry {
  readonly tool: Tool;
  validate: ValidateFunction | undefined;
}

/** The tools a host has given, by id, with their schemas ready to check inputs. */
export class ToolBox {
  readonly #entries = new Map<string, Entry>();
  // One for each box: compiled schemas are kept, and must go with it.
  readonly #ajv = createAjv();

  constructor(tools: readonly Tool[] = []) {
    // The typings of ajv-formats are those of CommonJS.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.put(...tools);
  }

  /** Adds tools, or lets them take the place of those with their ids: all of them, or none if one cannot be used. */
  put(...tools: readonly Tool[]): void {
    const entries = tools.map((tool) => ({ tool: checkTool(tool), validate: this.#compile(tool) }));
    for (const entry of entries) this.#entries.set(entry.tool.id, entry);
  }

  remove(id: string): void {
    this.get(id);
    this.#entries.delete(id);
  }

  get(id: string): Tool {
    const tool = this.find(id);
    if (tool === undefined) throw new PmlError("PML_NOT_FOUND", `There is no tool ${id}.`, { details: { id } });
    return tool;
  }

  find(id: string): Tool | undefined {
    return this.#entries.get(id)?.tool;
  }

  list(): Tool[] {
    return [...this.#entries.values()].map(({ tool }) => tool);
  }

  /** Undefined when the tool can be called with this; else what is wrong, by field. */
  findProblem(id: string, args: unknown): PmlError | undefined {
    const validate = this.#entries.get(id)?.validate;
    return validate && findProblem(validate, args, { what: `The input of ${id}`, details: { tool: id } });
  }

  #compile({ id, inputSchema, checksInput }: Tool): ValidateFunction | undefined {
    if (inputSchema === undefined || checksInput === true) return undefined;
    try {
      return compileSchema(this.#ajv, inputSchema);
    } catch (error) {
      throw invalidInput(`The input schema of ${id} cannot be used: ${(error as Error).message}`, { tool: id });
    }
  }
}

function checkTool(tool: Tool): Tool {
  const id = checkToolId((tool as Partial<Tool> | undefined)?.id);
  checkCallable(id);
  checkText(`The description of ${id}`, tool.description);
  if (typeof tool.execute !== "function") throw invalidInput(`The tool ${id} has no execute(args).`);
  const { timeoutMs = 1 } = tool;
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS))
    throw invalidInput(`The timeoutMs of ${id} has to be more than 0, and at most ${LONGEST_TIMER_MS}.`);
  return tool;
}

/** Here rather than in the first run that has it. */
function checkCallable(id: string): void {
  const at = id.indexOf(":");
  const [server, name] = [id.slice(0, at), id.slice(at + 1)];
  if (server === CAPABILITY_SERVER)
    throw invalidInput(`"${id}" cannot be the id of a tool: the server "${server}" is that of capabilities.`);
  if (isReservedName(server) || isReservedName(name))
    throw invalidInput(`"${id}" cannot be the id of a tool: the language uses this name itself.`);
}

/** Node's timers fire at once beyond this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Schemas of capabilities kept ready: compiling one takes longer than all the rest of a short run. */
const MOST_COMPILED = 500;

/** Checks values that belong to no tool: arguments of capabilities. */
export function createValidator(): (schema: unknown, value: unknown, what: string) => PmlError | undefined {
  const compiled = new LRUCache<string, ValidateFunction>({ max: MOST_COMPILED });
  return (schema, value, what) => {
    const key = canonicalJson(schema);
    // An instance never forgets what it has compiled, so each schema has one that goes with it.
    const validate = compiled.get(key) ?? compileSchema(createAjv(), schema);
    compiled.set(key, validate);
    return findProblem(validate, value, { what, details: {} });
  };
}

/** Longer than any honest schema takes, and no longer than a host can stand still. */
const LONGEST_CHECK_MS = 1000;
/** What a schema can take its time with: the others take a time that goes with the size of the value. */
const SLOW_KEYWORD = /"(?:pattern|patternProperties|format|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef)":/;
const slow = new WeakSet<ValidateFunction>();

/** Schemas come from servers and bundles, and values from code: neither may hold the host. */
function findProblem(
  validate: ValidateFunction,
  value: unknown,
  { what, details }: { what: string; details: Record<string, unknown> },
): PmlError | undefined {
  try {
    const isValid = slow.has(validate) ? runWithin(LONGEST_CHECK_MS, () => validate(value)) : validate(value);
    return isValid === true ? undefined : invalidArguments(what, validate.errors ?? [], details);
  } catch (error) {
    const message = `${what} cannot be checked against its schema: ${(error as Error).message}.`;
    return new PmlError("PML_INVALID_ARGUMENTS", message, { cause: error, details });
  }
}

function createAjv(): Ajv2020 {
  return new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
}

/** Which draft a schema is of is said in many ways, and rarely matters for what is checked here. */
function compileSchema(ajv: Ajv2020, schema: unknown): ValidateFunction {
  if (typeof schema !== "object" || schema === null) throw invalidInput("it is not an object");
  const { $schema: _, $id: __, ...rest } = schema as Record<string, unknown>;
  const validate = ajv.compile(rest);
  if (SLOW_KEYWORD.test(JSON.stringify(rest))) slow.add(validate);
  return validate;
}

function invalidArguments(what: string, errors: readonly ErrorObject[], details: Record<string, unknown>): PmlError {
  const problems = errors.slice(0, 10).map(describeProblem);
  const message = `${what} is not what its schema asks for: ${problems.map(({ message: each }) => each).join("; ")}.`;
  return new PmlError("PML_INVALID_ARGUMENTS", message, { details: { ...details, problems } });
}

function describeProblem({ instancePath, keyword, params, message = "" }: ErrorObject): {
  field: string;
  message: string;
} {
  const missing = (params as { missingProperty?: string }).missingProperty;
  const extra = (params as { additionalProperty?: string }).additionalProperty;
  const parts = instancePath.split("/").slice(1);
  const field = [...parts, ...((missing ?? extra) ? [missing ?? extra] : [])].join(".") || "(the whole input)";
  if (keyword === "required") return { field, message: `"${field}" is missing` };
  if (keyword === "additionalProperties") return { field, message: `"${field}" is not a field of it` };
  return { field, message: `"${field}" ${message}` };
}
