import { findDrift, type Drift } from "./drift.js";
import { ANY, type LearnedType, mergeTypes, NEVER } from "./learned-type.js";
import { type JsonSchema, typeToSchema } from "./type-to-schema.js";

/** More distinct shapes than this, and a tool's results are not worth telling apart. */
const MOST_SHAPES = 200;
const ANY_KEY = JSON.stringify(ANY);

export type LearnedTypesState = readonly (readonly [
  tool: string,
  shapes: readonly (readonly [shape: LearnedType, times: number])[],
])[];

/** The output types of tools, learned from what they returned. Shapes are counted, so that a run can be taken out again. */
export class LearnedTypes {
  readonly #tools = new Map<string, { shapes: Map<string, number>; merged?: LearnedType }>();

  observe(tool: string, type: LearnedType, times: number): void {
    const known = this.#tools.get(tool) ?? { shapes: new Map<string, number>() };
    const exact = JSON.stringify(type);
    const key = known.shapes.has(exact) || known.shapes.size < MOST_SHAPES ? exact : ANY_KEY;
    const count = (known.shapes.get(key) ?? 0) + times;
    if (count > 0) known.shapes.set(key, count);
    else known.shapes.delete(key);
    delete known.merged;
    if (known.shapes.size > 0) this.#tools.set(tool, known);
    else this.#tools.delete(tool);
  }

  find(tool: string): LearnedType | undefined {
    const known = this.#tools.get(tool);
    if (known === undefined) return undefined;
    known.merged ??= [...known.shapes.keys()].map((key) => JSON.parse(key) as LearnedType).reduce(mergeTypes, NEVER);
    return known.merged;
  }

  /** Each shape that was seen, and how often. */
  list(tool: string): [shape: LearnedType, times: number][] {
    const { shapes } = this.#tools.get(tool) ?? {};
    return [...(shapes ?? [])].map(([key, times]) => [JSON.parse(key) as LearnedType, times]);
  }

  findSchema(tool: string): JsonSchema | undefined {
    const type = this.find(tool);
    return type && typeToSchema(type);
  }

  /** Where a result leaves what was learned; nothing when nothing was. */
  listDrift(tool: string, result: unknown): Drift[] {
    const type = this.find(tool);
    return type === undefined ? [] : findDrift(type, result);
  }

  toState(): LearnedTypesState {
    return [...this.#tools]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([tool, { shapes }]) => [
        tool,
        [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, times]) => [JSON.parse(key) as LearnedType, times]),
      ]);
  }

  restore(state: LearnedTypesState): void {
    for (const [tool, shapes] of state) for (const [type, times] of shapes) this.observe(tool, type, times);
  }
}
