import type { AnyNode } from "acorn";

import type { BlindSpot } from "../blind/blind-spot.js";
import type { Catalog, JsonSchema } from "../catalog.js";
import type { Inputs } from "../inputs.js";
import type { Binding, FunctionNode, Scopes } from "../parse/scope.js";
import type { SourceText } from "../parse/source-text.js";
import type { Reach } from "../permissions.js";
import type { Sites } from "../rewrite/sites.js";
import type { ArgumentValue, Json, Return } from "../structure.js";
import type { Environment } from "./environment.js";
import type { Flow, Point } from "./flow.js";
import { opaque, reachesTools, type Sources, type Term, toolsIn, type Value } from "./values.js";

/** A literal that fills a field of a call's input, and may become a parameter named after the field. */
export interface Liftable {
  readonly origin: AnyNode;
  readonly field: string;
  readonly value: Json;
  readonly schema: JsonSchema | undefined;
}

/** Where a function's returns go. */
export interface Returns {
  readonly values: Value[];
  readonly points: Point[];
  /** Whoever called waits for what is returned. */
  readonly awaited: boolean;
}

/** A statement that `break` may leave. */
interface Jump {
  readonly label: string | undefined;
  readonly kind: "loop" | "switch" | "block";
  readonly points: Point[];
}

/** A function that was seen as a value: it may be called even where no call of it is seen. */
interface SeenFunction {
  /** Scope it was made in. */
  readonly path: string;
  readonly point: Point;
  called: boolean;
}

/** Why the code is not a DAG. */
export interface Obstacle {
  readonly reason: string;
  readonly line: number;
}

/** Runs the code on what is known of its values, and notes what it would do. */
export interface Machine {
  readonly code: SourceText;
  readonly scopes: Scopes;
  readonly catalog: Catalog;
  /** Put before a node's id where its result is named in an expression, if the code has names like that itself. */
  readonly resultPrefix: string;
  readonly flow: Flow;
  readonly environment: Environment;
  readonly sites: Sites;
  readonly inputs: Inputs;
  readonly reach: Reach;
  readonly liftables: Liftable[];
  /** Literals that name a tool or a property somewhere: lifting one would make that name unknown. */
  readonly fixed: Set<AnyNode>;
  readonly functions: Map<FunctionNode, SeenFunction>;
  /** Scope that each declared function was made in. */
  readonly definitions: Map<FunctionNode, string>;
  /** Initialisers of constants, so that an expression can be followed through its name. */
  readonly initialisers: Map<Binding, AnyNode>;
  /** What calls gave, to name it in expressions that contain them. */
  readonly results: Map<AnyNode, Value>;
  /** What iterations leave to the next one, by its mark. */
  readonly carried: Map<string, Sources>;
  /** What each loop walks over. */
  readonly lists: Map<string, Value>;
  /** What a loop's iterations return, by the loop's id. */
  readonly collected: Map<string, ArgumentValue>;
  readonly labels: Map<AnyNode, string>;
  /** Generators that were run. */
  readonly generators: Set<FunctionNode>;
  /** Marks of the parameters of recursive functions, for what later calls give them. */
  readonly recursive: Map<FunctionNode, readonly string[]>;
  /** Functions that are being run, and in which scope. */
  readonly active: FunctionNode[];
  readonly activePaths: Map<FunctionNode, string>;
  readonly jumps: Jump[];
  /** Innermost last: where control may be when something inside a `try` throws. */
  readonly attempts: Point[][];
  readonly obstacles: Obstacle[];
  /** Where the evaluation itself loses sight of values. */
  readonly blindSpots: BlindSpot[];
  /** Returns of the snippet itself. */
  readonly returned: Return[];
  /** Returns of the function that is being run; undefined in the snippet itself. */
  returns: Returns | undefined;
  /** Scope that the instrumented code is in: which call of which function, inside which loops. */
  path: string;
  /** Positive inside code that calls no tool: values are followed there, but nothing is noted. */
  quiet: number;
  /** Calls of local functions that were followed. */
  calls: number;
  /** Sources of expressions that were told. */
  traced: number;
  evaluate(node: AnyNode, awaited?: boolean): Value;
  /** Gives a function or tool to somebody who may call it any number of times. */
  handOn(term: Term, to: string): void;
  execute(statement: AnyNode): void;
}

export function lineOf(machine: Machine, node: AnyNode): number {
  return machine.code.line(node.start);
}

/** Notes something that a DAG has no way to say. */
export function obstruct(machine: Machine, node: AnyNode, reason: string): void {
  if (machine.quiet === 0) machine.obstacles.push({ reason, line: lineOf(machine, node) });
}

/** Notes that from here on it is not known where values go. */
export function loseSight(machine: Machine, node: AnyNode, reason: string): void {
  const line = lineOf(machine, node);
  const isNoted = machine.blindSpots.some((each) => each.line === line && each.reason === reason);
  if (!isNoted) machine.blindSpots.push({ reason, line });
}

/** Runs `body` in another scope of the instrumented code. */
export function inScope<Result>(machine: Machine, path: string, body: () => Result): Result {
  const before = machine.path;
  machine.path = path;
  const result = body();
  machine.path = before;
  return result;
}

/** Follows values through `body`, and notes nothing. */
export function quietly<Result>(machine: Machine, body: () => Result): Result {
  machine.quiet++;
  const result = body();
  machine.quiet--;
  return result;
}

/** As `opaque`, for what goes out of sight: the tools in it may be called by anyone from here on. */
export function mixed(machine: Machine, ...values: readonly Value[]): Value {
  for (const value of values) if (reachesTools(value)) release(machine, value);
  return opaque(...values);
}

export function release(machine: Machine, value: Value): void {
  for (const tool of toolsIn(value)) if (tool.endsWith("*")) machine.reach.computed(tool);
}
