import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

import { invalidInput, PmlError, type PmlErrorCode } from "../model/error.js";
import { checkToolId, type NewTool, type Tool, type ToolContext } from "../model/tool.js";

/** A JSON Schema as plain data. */
export interface PlainJsonSchema {
  readonly [key: string]: unknown;
  readonly "~standard"?: never;
}

/** Of zod, valibot, arktype and all others that follow Standard Schema; or a JSON Schema as plain data. */
export type ToolSchema = StandardSchemaV1 | PlainJsonSchema;

/** What code passes in, before defaults and transformations. */
export type ToolInput<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : Record<string, unknown>;
/** What `execute` gets: checked, defaults filled in. */
export type ToolArguments<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : Record<string, unknown>;
/** What `execute` returns. */
type Returned<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : unknown;
/** What code gets. */
export type ToolOutput<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : unknown;

export interface ToolDefinition<I extends ToolSchema, O extends ToolSchema> extends Omit<
  NewTool,
  "inputSchema" | "outputSchema" | "examples"
> {
  input: I;
  output?: O;
  examples?: readonly ToolInput<I>[];
  /** JSON Schemas for models to read, where the library of `input` or `output` cannot write them. */
  inputSchema?: PlainJsonSchema;
  outputSchema?: PlainJsonSchema;
  /** Longest it may take. Default 60 000. */
  timeoutMs?: number;
  execute(args: ToolArguments<I>, context: ToolContext): Returned<O> | Promise<Returned<O>>;
}

/** A tool that checks its input itself. */
export interface DefinedTool<I extends ToolSchema, O extends ToolSchema> extends Omit<Tool, "execute"> {
  execute(args: ToolInput<I>, context: ToolContext): Promise<ToolOutput<O>>;
}

/** A tool whose arguments and result have the types of their schemas, and are held to them when it is called. */
export function defineTool<I extends ToolSchema, O extends ToolSchema = PlainJsonSchema>(
  definition: ToolDefinition<I, O>,
): DefinedTool<I, O> {
  const { input, output, inputSchema, outputSchema, execute, ...rest } = definition;
  const id = checkToolId(rest.id);
  const given = inputSchema ?? writeJsonSchema(input, "input", id);
  const result = outputSchema ?? (output === undefined ? undefined : writeJsonSchema(output, "output", id));
  return {
    ...rest,
    inputSchema: given,
    ...(result !== undefined && { outputSchema: result }),
    ...(isStandard(input) && { checksInput: true }),
    async execute(args, context) {
      const checked = isStandard(input) ? await check(input, args, asInput(id)) : args;
      const returned = await execute(checked as ToolArguments<I>, context);
      return (isStandard(output) ? await check(output, returned, asOutput(id)) : returned) as ToolOutput<O>;
    },
  };
}

type Refuse = (issues: readonly StandardSchemaV1.Issue[]) => PmlError;

async function check(schema: StandardSchemaV1, value: unknown, refuse: Refuse): Promise<unknown> {
  const result = await schema["~standard"].validate(value);
  if (result.issues !== undefined) throw refuse(result.issues);
  return result.value;
}

const asInput = (id: string): Refuse => refuseAs("PML_INVALID_ARGUMENTS", `The input of ${id}`, id);
const asOutput = (id: string): Refuse => refuseAs("PML_INVALID_RESULT", `What ${id} returned`, id);

const MOST_PROBLEMS = 10;

function refuseAs(code: PmlErrorCode, what: string, tool: string): Refuse {
  return (issues) => {
    const problems = issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path = [], message }) => ({ field: writePath(path), message }));
    const list = problems.map(({ field, message }) => `"${field}": ${message}`).join("; ");
    return new PmlError(code, `${what} is not what its schema asks for: ${list}.`, { details: { tool, problems } });
  };
}

function writePath(path: readonly (PropertyKey | StandardSchemaV1.PathSegment)[]): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.join(".") || "(the whole)";
}

function isStandard(schema: ToolSchema | undefined): schema is StandardSchemaV1 {
  return typeof schema?.["~standard"] === "object";
}

const TARGET = { target: "draft-2020-12" } as const;

/** By Standard JSON Schema, where the library has it. */
function writeJsonSchema(schema: ToolSchema, side: "input" | "output", id: string): PlainJsonSchema {
  if (!isStandard(schema)) return schema;
  const { jsonSchema, vendor } = schema["~standard"] as Partial<StandardJSONSchemaV1.Props> & { vendor: string };
  const advice = `Give the tool an ${side}Schema: a JSON Schema as plain data.`;
  if (jsonSchema === undefined)
    throw invalidInput(
      `The ${side} of ${id} is a schema of ${vendor} that cannot be written as JSON Schema. ${advice}`,
    );
  try {
    const { $schema: _, ...written } = jsonSchema[side](TARGET);
    return written;
  } catch (error) {
    throw invalidInput(`The ${side} of ${id} cannot be written as JSON Schema: ${(error as Error).message} ${advice}`);
  }
}
