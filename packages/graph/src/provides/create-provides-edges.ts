import type { JsonSchema } from "../types/type-to-schema.js";
import { type Coverage, coverFields, readFields, type ToolFields, type ToolSchemas } from "./coverage.js";
import type { Field } from "./schema-fields.js";
import { GENERIC } from "./synonyms.js";

/** The first tool's results can be given to the second. Both schemas stand in it, for whoever has to fill arguments. */
export interface ProvidesEdge extends Coverage {
  readonly from: string;
  readonly to: string;
  readonly type: "provides";
  readonly providerOutputSchema: JsonSchema;
  readonly consumerInputSchema: JsonSchema;
}

export interface ProvidesOptions {
  /** How sure a mapping has to be. Between many tools, what only might fit is noise. */
  readonly leastScore?: number;
  /** Stands in for the output schema of tools that declare none, as `engine.types.findSchema` does. */
  readonly findOutputSchema?: (tool: string) => JsonSchema | undefined;
}

export const DEFAULT_PROVIDES_OPTIONS: Required<ProvidesOptions> = {
  leastScore: 0.5,
  findOutputSchema: () => undefined,
};

/** All pairs that fit, found through an index of words, so that tools with nothing in common are never compared. */
export function createProvidesEdges(tools: readonly ToolSchemas[], options: ProvidesOptions = {}): ProvidesEdge[] {
  const { leastScore, findOutputSchema } = { ...DEFAULT_PROVIDES_OPTIONS, ...options };
  const schemas = tools.map((tool) => withOutput(tool, findOutputSchema(tool.id)));
  const fields = schemas.map(readFields);
  const providers = indexProviders(fields);
  return fields.flatMap(({ inputs }, to) =>
    [...listCandidates(providers, inputs)].flatMap((from): ProvidesEdge[] => {
      const [provider, consumer] = [schemas[from], schemas[to]];
      const coverage = from === to ? undefined : coverFields(fields[from]?.outputs ?? [], inputs);
      if (!provider || !consumer || coverage === undefined || coverage.score < leastScore) return [];
      const [providerOutputSchema, consumerInputSchema] = [provider.outputSchema ?? {}, consumer.inputSchema ?? {}];
      return [
        {
          from: provider.id,
          to: consumer.id,
          type: "provides",
          ...coverage,
          providerOutputSchema,
          consumerInputSchema,
        },
      ];
    }),
  );
}

function withOutput(tool: ToolSchemas, learned: JsonSchema | undefined): ToolSchemas {
  return tool.outputSchema !== undefined || learned === undefined ? tool : { ...tool, outputSchema: learned };
}

/** By word, the tools whose outputs have it. */
function indexProviders(tools: readonly ToolFields[]): Map<string, Set<number>> {
  const index = new Map<string, Set<number>>();
  tools.forEach(({ outputs }, at) => {
    for (const word of outputs.flatMap(listKeys)) {
      const holders = index.get(word) ?? new Set();
      holders.add(at);
      index.set(word, holders);
    }
  });
  return index;
}

/** An id is found by what it is an id of. */
function listKeys({ words, around }: Field): string[] {
  return words.includes("id") ? [...words.filter((word) => word !== "id"), ...around, "id"] : [...words];
}

/** What only says that data is handed on would fit half of all tools; all of it goes under one key. */
function listCandidates(index: ReadonlyMap<string, ReadonlySet<number>>, inputs: readonly Field[]): Set<number> {
  const found = new Set<number>();
  for (const { words } of inputs) {
    const telling = words.filter((word) => word !== "id");
    const generic = telling.length > 0 && telling.every((word) => GENERIC.has(word));
    for (const word of generic ? GENERIC : telling.length > 0 ? telling : words) {
      for (const tool of index.get(word) ?? []) found.add(tool);
    }
  }
  return found;
}
