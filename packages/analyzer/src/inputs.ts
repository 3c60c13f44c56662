import type { JsonSchema } from "./catalog.js";
import { define } from "./records.js";
import type { Json, Path } from "./structure.js";

/** Stands for the whole input object where a parameter's name is expected. */
export const WHOLE_INPUT = "*";

interface Use {
  readonly path: Path;
  readonly schema: JsonSchema;
}

interface Input {
  required: boolean;
  default?: Json;
  readonly uses: Use[];
}

/** What the code needs from its caller, gathered while it is read. */
export class Inputs {
  readonly #inputs = new Map<string, Input>();
  readonly #merged: JsonSchema[] = [];
  #wholes = 0;
  #merges = 0;

  /** The code reads this input. It is required unless something says otherwise. */
  read(name: string): void {
    if (!this.#inputs.has(name)) this.#inputs.set(name, { required: true, uses: [] });
  }

  has(name: string): boolean {
    return this.#inputs.has(name);
  }

  /** The code does without it, or has a default for it. */
  optional(name: string, value?: Json): void {
    if (name === WHOLE_INPUT) return;
    this.read(name);
    const input = this.#inputs.get(name) as Input;
    input.required = false;
    if (value !== undefined && input.default === undefined) input.default = value;
  }

  /** The input, or the part of it at `path`, goes where a schema says what it must be. */
  flowsInto(name: string, path: Path, schema: JsonSchema): void {
    this.read(name);
    this.#inputs.get(name)?.uses.push({ path, schema });
  }

  /** The code names the input object itself … */
  sawWhole(): void {
    this.#wholes++;
  }

  /** … and takes a part of it by name. */
  tookPart(): void {
    this.#wholes--;
  }

  /** The input object is handed on as a whole: it must be what the receiver takes. */
  handedTo(schema: JsonSchema | undefined): void {
    if (!schema?.properties) return;
    this.#merged.push(schema);
    this.#merges++;
  }

  /** Some receiver gets the whole object, and with it whatever else is put into it. */
  get isHandedOn(): boolean {
    return this.#wholes > 0;
  }

  schema(): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required = new Set<string>();
    for (const merged of this.#merged) {
      Object.assign(properties, merged.properties);
      for (const name of merged.required ?? []) required.add(name);
    }
    for (const [name, input] of this.#inputs) {
      define(properties, name, propertyOf(input, properties[name]));
      if (input.required) required.add(name);
      else required.delete(name);
    }
    return {
      type: "object",
      properties,
      required: [...required],
      ...(this.#wholes <= this.#merges && { additionalProperties: false }),
    };
  }
}

function propertyOf(input: Input, known: JsonSchema = {}): JsonSchema {
  let schema = known;
  for (const { path, schema: use } of input.uses) schema = merge(schema, atPath(path, use));
  return input.default === undefined ? schema : { ...schema, default: input.default };
}

function atPath(path: Path, schema: JsonSchema): JsonSchema {
  return path.reduceRight<JsonSchema>((inner, key) => {
    if (typeof key === "number") return { type: "array", items: inner };
    const properties: Record<string, JsonSchema> = {};
    define(properties, key, inner);
    return { type: "object", properties };
  }, schema);
}

/** What must satisfy both. The first to say something about a keyword is kept; types that differ are both allowed. */
function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const type = mergeTypes(a.type, b.type);
  const properties: Record<string, JsonSchema> = { ...b.properties };
  for (const [key, schema] of Object.entries(a.properties ?? {})) {
    define(properties, key, merge(schema, own(b.properties, key) ?? {}));
  }
  const hasProperties = a.properties !== undefined || b.properties !== undefined;
  return { ...b, ...a, ...(type !== undefined && { type }), ...(hasProperties && { properties }) };
}

function mergeTypes(a: JsonSchema["type"], b: JsonSchema["type"]): JsonSchema["type"] {
  if (a === undefined || b === undefined) return a ?? b;
  const types = [...new Set([a, b].flat())];
  return types.length === 1 ? types[0] : types;
}

function own(record: Readonly<Record<string, JsonSchema>> | undefined, key: string): JsonSchema | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}
