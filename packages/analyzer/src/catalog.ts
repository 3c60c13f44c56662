import { AnalyzerError } from "./error.js";

/** The part of JSON Schema that is read here; the rest is passed on as it is. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/**
 * `minimal` allows pure operations and read-only tools, `standard` everything but destructive tools, `privileged`
 * everything.
 */
export type PermissionSet = "minimal" | "standard" | "privileged";

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
}

export interface ToolInfo {
  /** `server:name`. */
  readonly id: string;
  readonly inputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

export interface CapabilityInfo {
  /** Display name, `namespace:action`, or a plain name. */
  readonly name: string;
  readonly id?: string;
  readonly parameters?: JsonSchema;
  /** What running it needs; unknown counts as `standard`. */
  readonly permissionSet?: PermissionSet;
}

/** The tools and capabilities that code may name. */
export class Catalog {
  readonly #tools: ReadonlyMap<string, ToolInfo>;
  readonly #capabilities: ReadonlyMap<string, CapabilityInfo>;

  constructor(tools: readonly ToolInfo[], capabilities: readonly CapabilityInfo[]) {
    for (const tool of checked(tools, "tools")) {
      const { id, inputSchema } = tool;
      if (typeof id !== "string" || !/^[^:]+:.+$/s.test(id))
        throw invalid(`Tool id ${JSON.stringify(id)} is not "server:name".`);
      if (inputSchema !== undefined) checkSchema(inputSchema, `The input schema of ${id}`);
    }
    for (const { name, parameters } of checked(capabilities, "capabilities")) {
      if (typeof name !== "string" || name === "")
        throw invalid(`Capability name ${JSON.stringify(name)} is not a name.`);
      if (parameters !== undefined) checkSchema(parameters, `The parameters of ${name}`);
    }
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#capabilities = new Map(capabilities.map((capability) => [capability.name, capability]));
  }

  findTool(id: string): ToolInfo | undefined {
    return this.#tools.get(id);
  }

  findCapability(name: string): CapabilityInfo | undefined {
    return this.#capabilities.get(name);
  }

  isReadOnly(toolId: string): boolean {
    return this.#tools.get(toolId)?.annotations?.readOnlyHint === true;
  }

  /** Names below `namespace`, when it is one and not itself a capability. */
  membersOf(namespace: string): string[] {
    if (this.#capabilities.has(namespace)) return [];
    return [...this.#capabilities.keys()].filter((name) => name.startsWith(`${namespace}:`));
  }

  /** Without a list of tools nothing can be called unknown. */
  knowsTools(): boolean {
    return this.#tools.size > 0;
  }
}

/** The one place where a tool's id is made. */
export function toolId(server: string, name: string): string {
  return `${server}:${name}`;
}

function checked<Item extends object>(items: readonly Item[], what: string): readonly Item[] {
  const isList = Array.isArray(items) && items.every((item) => typeof item === "object" && item !== null);
  if (!isList) throw invalid(`${what} must be a list of objects.`);
  return items;
}

/** Only what is read here: a schema's other keywords are passed on as they are. */
function checkSchema({ properties = {}, required = [] }: JsonSchema, what: string): void {
  const isRight = isObject(properties) && Object.values(properties).every(isObject) && Array.isArray(required);
  if (!isRight) throw invalid(`${what} is not a JSON Schema of an object.`);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function invalid(message: string): AnalyzerError {
  return new AnalyzerError("ANALYZER_INVALID_INPUT", message);
}
