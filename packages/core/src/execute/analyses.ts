import {
  type Analysis,
  type CapabilityInfo,
  type JsonSchema,
  StaticStructureBuilder,
  type ToolInfo,
} from "@pml/analyzer";
import { LRUCache } from "lru-cache";

import type { Capability } from "../model/capability.js";
import type { NewTool } from "../model/tool.js";

export { codeOf } from "../model/source-code.js";

/** Analyses kept: the code of capabilities is analysed on every run, and rarely changes. */
const MOST_KEPT = 500;

/** Analyses of code against the tools there are. Made anew when these change. */
export class Analyses {
  readonly #tools: readonly NewTool[];
  readonly #kept = new LRUCache<string, Analysis>({ max: MOST_KEPT });
  readonly #builder: StaticStructureBuilder;

  constructor(tools: readonly NewTool[]) {
    this.#tools = tools;
    this.#builder = new StaticStructureBuilder({ tools: describeTools(tools) });
  }

  /** Throws an `AnalyzerError` for code that cannot run. */
  analyse(code: string, capabilities: readonly CapabilityInfo[] = []): Analysis {
    if (capabilities.length > 0)
      return new StaticStructureBuilder({ tools: describeTools(this.#tools), capabilities }).build(code);
    const kept = this.#kept.get(code) ?? this.#builder.build(code);
    this.#kept.set(code, kept);
    return kept;
  }
}

/** What stands in for arguments that are not given. */
export function defaultsOf({ source, parameters }: Pick<Capability, "source" | "parameters">): Record<string, unknown> {
  if (source.type === "tool") return source.defaultArgs ?? {};
  const properties =
    (parameters as { properties?: Record<string, { default?: unknown }> } | undefined)?.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      schema?.default === undefined ? [] : [[name, schema.default]],
    ),
  );
}

function describeTools(tools: readonly NewTool[]): ToolInfo[] {
  return tools.map(({ id, inputSchema, annotations }) => ({
    id,
    ...(isObjectSchema(inputSchema) && { inputSchema: inputSchema as JsonSchema }),
    ...(annotations !== undefined && { annotations }),
  }));
}

/** What the analyzer reads of a schema is as it should be. Of a tool with another one, only its name is known. */
function isObjectSchema(schema: unknown): boolean {
  if (!isPlain(schema)) return false;
  const { properties = {}, required = [] } = schema;
  return isPlain(properties) && Object.values(properties).every(isPlain) && Array.isArray(required);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
