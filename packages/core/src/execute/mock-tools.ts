import type { Tool as SandboxTool } from "@pml/sandbox";

import { canonicalJson } from "../model/identity.js";
import type { Tool } from "../model/tool.js";
import type { Reads } from "./mock-reads.js";
import { mockValue } from "./mock-value.js";
import type { ToolBox } from "./tool-box.js";

/** What a tool gives in a dry run: a value, or a function of the arguments. What it throws, the tool throws. */
export type GivenResults = Readonly<Record<string, unknown>>;

/** Where the result of a mock came from. */
export type MockSource = "given" | "example" | "output schema" | "learned type" | "code";

export interface MockCall {
  tool: string;
  /** The nodes that lead to it, through capabilities: `n2/n1`. */
  place: string;
  args: unknown;
  source: MockSource;
  /** What a real run would refuse the arguments for; it may be the mocks' fault. */
  problem?: string;
}

export interface MockOptions {
  box: ToolBox;
  /** Beside those of the box: what the code names and nobody has given. */
  tools?: readonly string[];
  results: GivenResults;
  findLearnedSchema: (tool: string) => unknown;
  /** What the code reads of the result of the call at a place. */
  findReads: (place: string) => Reads | undefined;
  onCall: (call: MockCall) => void;
}

/** As often a call is answered in full; from then on as sparsely as can be, so that loops over pages end. */
const FULL_ANSWERS = 3;

/** Stands in for the tools of a run. It has no way to a real one: it never looks at their `execute`. */
export class MockTools {
  readonly #options: MockOptions;
  readonly #visits = new Map<string, number>();

  constructor(options: MockOptions) {
    this.#options = options;
  }

  listForSandbox(): SandboxTool[] {
    const { box, tools = [] } = this.#options;
    const ids = new Set([...box.list().map(({ id }) => id), ...tools]);
    return [...ids].map((id) => ({ id, call: (args, { path }) => this.#answer(id, args, placeOf(path)) }));
  }

  #answer(tool: string, args: unknown, place: string): unknown {
    const { box, results, onCall } = this.#options;
    const problem = box.findProblem(tool, args ?? {})?.message;
    const call = { tool, place, args, ...(problem !== undefined && { problem }) };
    if (Object.hasOwn(results, tool)) {
      onCall({ ...call, source: "given" });
      const given = results[tool];
      return typeof given === "function" ? (given as (args: unknown) => unknown)(args) : given;
    }
    const { source, value } = this.#make(tool, args, place);
    onCall({ ...call, source });
    return value;
  }

  #make(tool: string, args: unknown, place: string): { source: MockSource; value: unknown } {
    const { box, findLearnedSchema, findReads } = this.#options;
    const { examples, outputSchema }: Partial<Tool> = box.find(tool) ?? {};
    const example = findExample(examples, args);
    if (example !== undefined) return { source: "example", value: example.result };
    const visits = this.#visits.get(place) ?? 0;
    this.#visits.set(place, visits + 1);
    const how = { reads: findReads(place), sparse: visits >= FULL_ANSWERS };
    if (outputSchema !== undefined) return { source: "output schema", value: mockValue(outputSchema, how) };
    const learned = findLearnedSchema(tool);
    if (learned !== undefined) return { source: "learned type", value: mockValue(learned, how) };
    return { source: "code", value: mockValue(undefined, how) };
  }
}

/** `/n2[0]/n1[3]` is at `n2/n1`, whichever turn it is. */
function placeOf(path: string): string {
  return path.slice(1).replaceAll(/\[[^\]]*\]/g, "");
}

/** Examples say what a call gave as `result` or `output`; one with these arguments, or the first. */
function findExample(examples: unknown, args: unknown): { result: unknown } | undefined {
  const usable = (Array.isArray(examples) ? examples : []).flatMap((each: unknown) => {
    const { args: given, arguments: named, input, ...rest } = (each ?? {}) as Record<string, unknown>;
    const key = ["result", "output"].find((name) => Object.hasOwn(rest, name));
    return key === undefined ? [] : [{ args: given ?? named ?? input, result: rest[key] }];
  });
  const wanted = canonicalJson(args ?? {});
  return usable.find((each) => canonicalJson(each.args ?? {}) === wanted) ?? usable[0];
}
