import type { Analysis, ArgumentValue, Path, StructureNode } from "@pml/analyzer";

/** What code reads of a value: its fields, its items, and what it finds in it as JSON. */
export interface Reads {
  readonly fields: Map<string, Reads>;
  items: Reads | undefined;
  json: Reads | undefined;
  /** The schema of a tool's field that it goes into. */
  schema: unknown;
}

export type FindInputSchema = (tool: string, field: string) => unknown;

/** What only a list has. */
const LIST_METHODS: ReadonlySet<string> = new Set(
  "map filter forEach reduce some every find findIndex findLast flatMap flat sort toSorted join push".split(" "),
);

/** Finds what code reads of the result of each node, and of each parameter, `$name`: a mock has to have that much. */
export function listReads({ structure, returns }: Analysis, schemaOf: FindInputSchema): Map<string, Reads> {
  const reads = new ReadsFinder(structure.nodes);
  for (const node of structure.nodes) reads.visit(node, schemaOf);
  for (const { value } of returns) if (value !== undefined) reads.use(value);
  return reads.byNode;
}

class ReadsFinder {
  readonly byNode = new Map<string, Reads>();

  constructor(nodes: readonly StructureNode[]) {
    // Inside a loop, a reference to it is the current item of what it walks over.
    for (const node of nodes) {
      const list = node.type === "loop" && node.over !== undefined ? this.use(node.over) : undefined;
      if (list !== undefined) this.byNode.set(node.id, (list.items ??= createReads()));
    }
  }

  visit(node: StructureNode, schemaOf: FindInputSchema): void {
    if (node.type === "decision" && node.test !== undefined) this.use(node.test);
    if (node.type !== "task" && node.type !== "capability") return;
    for (const value of node.spread ?? []) this.use(value);
    const isPure = node.type === "task" && node.pure === true;
    for (const [name, value] of Object.entries(node.arguments)) {
      const read = this.use(value);
      if (read === undefined) continue;
      if (isPure) this.#readText(read, { name, text: node.standalone ?? node.code ?? "", node });
      else if (node.type === "task") read.schema ??= schemaOf(node.tool, name);
    }
  }

  /** What stands for the value, if it is a part of a result or of a parameter. */
  use(value: ArgumentValue): Reads | undefined {
    if (value.type === "reference") return follow(this.#of(value.from), value.path);
    if (value.type === "parameter") return follow(this.#of(`$${value.parameterName}`), value.path);
    if (value.type === "literal") return undefined;
    for (const each of Object.values(value.fields ?? {})) this.use(each);
    for (const each of value.items ?? []) this.use(each);
    for (const [name, each] of Object.entries(value.arguments ?? {})) {
      const read = this.use(each);
      if (read !== undefined) this.#readText(read, { name, text: value.standalone ?? "" });
    }
    return undefined;
  }

  /** An expression is text: `f.content` and `rows.map(` in it say what `f` and `rows` have to be. */
  #readText(
    root: Reads,
    { name, text, node }: { name: string; text: string; node?: StructureNode & { tool?: string } },
  ): void {
    const uses = new RegExp(String.raw`(?<![\w$.])${name.replaceAll("$", "\\$")}((?:\s*\??\.[\w$]+)*)(\s*\()?`, "g");
    for (const [, parts = "", called] of text.matchAll(uses)) {
      const path = parts
        .split(".")
        .slice(1)
        .map((part) => part.replace("?", "").trim());
      const method = called === undefined ? undefined : path.pop();
      const read = follow(root, path);
      if (method !== undefined && LIST_METHODS.has(method)) read.items ??= createReads();
      if (method === undefined && node?.tool === "code:JSON.parse") read.json = this.#of(node.id);
    }
  }

  #of(node: string): Reads {
    const known = this.byNode.get(node) ?? createReads();
    this.byNode.set(node, known);
    return known;
  }
}

function follow(reads: Reads, path: Path): Reads {
  let current = reads;
  for (const part of path) {
    if (part === "length") return current;
    current = typeof part === "number" ? (current.items ??= createReads()) : fieldOf(current, part);
  }
  return current;
}

function fieldOf({ fields }: Reads, name: string): Reads {
  const field = fields.get(name) ?? createReads();
  fields.set(name, field);
  return field;
}

function createReads(): Reads {
  return { fields: new Map(), items: undefined, json: undefined, schema: undefined };
}
