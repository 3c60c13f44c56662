import { annotate, type Annotation, readAnnotations } from "./annotations.js";
import type { BlindSpot } from "./blind/blind-spot.js";
import { listBlindSpots } from "./blind/list-blind-spots.js";
import { type CapabilityInfo, Catalog, type JsonSchema, type ToolInfo } from "./catalog.js";
import { followData } from "./data-flow.js";
import { AnalyzerError, isStackOverflow } from "./error.js";
import type { Obstacle } from "./evaluate/machine.js";
import { runProgram } from "./evaluate/run.js";
import { type Identity, identify } from "./identity/identify.js";
import { parse, tooDeep } from "./parse/parse.js";
import { readScopes } from "./parse/read-scopes.js";
import { refuseWhatCannotRun } from "./parse/refuse.js";
import { SourceText } from "./parse/source-text.js";
import { stripTypes } from "./parse/strip-types.js";
import type { Permissions } from "./permissions.js";
import { type Instrumented, instrument } from "./rewrite/instrument.js";
import { lift, type Parameterised } from "./rewrite/lift.js";
import type { DataFlow, Return, StaticStructure } from "./structure.js";

/** Everything that is known of a piece of code before it runs. */
export interface Analysis extends Identity {
  /** The code as the agent wrote it. */
  readonly source: string;
  readonly structure: StaticStructure;
  /** JSON Schema of what the code needs, lifted literals included. */
  readonly parameters: JsonSchema;
  readonly permissions: Permissions;
  readonly parameterised: Parameterised;
  readonly instrumented: Instrumented;
  readonly dataFlow: readonly DataFlow[];
  readonly returns: readonly Return[];
  readonly annotations: readonly Annotation[];
  /** What keeps the code from being a DAG, as far as that is seen before it is converted. */
  readonly obstacles: readonly Obstacle[];
  /** Where data may go in ways that the flow does not show; without one, the flow is all there is. */
  readonly blindSpots: readonly BlindSpot[];
}

export interface BuilderOptions {
  /** Tools that code may call. Without them nothing is known of their inputs and effects. */
  readonly tools?: readonly ToolInfo[];
  readonly capabilities?: readonly CapabilityInfo[];
  /** Longest code that is analysed, in characters. Default 500 000. */
  readonly maxCodeLength?: number;
}

const DEFAULT_MAX_CODE_LENGTH = 500_000;

/** Reads agent code and says what it may do. Pure: it runs nothing, and the same code gives the same analysis. */
export class StaticStructureBuilder {
  readonly #catalog: Catalog;
  readonly #maxCodeLength: number;

  constructor(options: BuilderOptions = {}) {
    const { tools = [], capabilities = [], maxCodeLength = DEFAULT_MAX_CODE_LENGTH } = options ?? {};
    this.#catalog = new Catalog(tools, capabilities);
    this.#maxCodeLength = maxCodeLength;
  }

  build(code: string): Analysis {
    if (typeof code !== "string") throw new AnalyzerError("ANALYZER_INVALID_INPUT", "Code must be a string.");
    if (code.length > this.#maxCodeLength) throw this.#tooLarge(code);
    try {
      return this.#analyse(code);
    } catch (error) {
      throw isStackOverflow(error) ? tooDeep(new SourceText(code), error) : error;
    }
  }

  #analyse(text: string): Analysis {
    const parsed = parse(text, stripTypes);
    const { source, code, program, comments } = parsed;
    const scopes = readScopes(program);
    refuseWhatCannotRun(scopes, source);
    const machine = runProgram({ program, code, scopes, catalog: this.#catalog });
    const { structure, dataFlow, returns } = followData(machine);
    const annotations = readAnnotations(comments, code, structure);
    const lifted = lift(machine, source);
    return {
      source: text,
      structure: annotations.length === 0 ? structure : annotate(structure, annotations),
      parameters: machine.inputs.schema(),
      permissions: machine.reach.permissions(this.#catalog),
      parameterised: lifted.parameterised,
      instrumented: instrument(machine.sites, parsed),
      ...identify(program, machine, lifted.origins),
      dataFlow,
      returns,
      annotations,
      obstacles: machine.obstacles,
      blindSpots: [...listBlindSpots(program, scopes, code), ...machine.blindSpots],
    };
  }

  #tooLarge(code: string): AnalyzerError {
    const message = `The code has ${code.length} characters, more than ${this.#maxCodeLength}. Split it`;
    return new SourceText(code).error("ANALYZER_TOO_LARGE", message, { offset: this.#maxCodeLength });
  }
}
