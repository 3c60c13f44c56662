import type { DAGStructure } from "@pml/analyzer";
import { encodeValue, type Limits, type Permissions, resolveLimits, resolvePermissions } from "@pml/sandbox";

import { invalidInput } from "../model/error.js";
import type { Scope } from "../model/scope.js";
import { checkIntent, checkText } from "../model/text.js";
import type { ExecuteMode } from "./answer.js";
import type { PmlEvent } from "./events.js";

export interface ExecuteOptions {
  /** Who asks, and for which project; over that of the memory. */
  scope?: Partial<Scope>;
  signal?: AbortSignal;
  /** Of the sandbox, over those of the memory. */
  limits?: Partial<Limits>;
  permissions?: Permissions;
  /** False: nothing is learned from this run; its trace is kept. */
  learn?: boolean;
  /** False: neither answered from a cache nor put into one. */
  cache?: boolean;
  /** Requests of one conversation: code for an intent that has just been served by itself says that that was wrong. */
  conversation?: string;
  /** Pauses a DAG between its layers, for an answer. */
  perLayerValidation?: boolean;
  /** When a capability fails: run the best of its alternatives. */
  fallback?: boolean;
  /** Called as things happen, secrets taken out. */
  onEvent?: (event: PmlEvent) => void;
}

/** What a request does not have decides too what comes back; said here, the compiler knows. */
interface None {
  code?: undefined;
  dag?: undefined;
  capability?: undefined;
}

export interface SuggestRequest extends ExecuteOptions, None {
  intent: string;
  context?: undefined;
}

export interface SpeculateRequest extends ExecuteOptions, None {
  intent: string;
  context: Record<string, unknown>;
}

export interface DirectRequest extends ExecuteOptions, Omit<None, "code"> {
  intent: string;
  code: string;
  context?: Record<string, unknown> | undefined;
  /** Name for the capability: `namespace:action`. */
  name?: string | undefined;
  description?: string | undefined;
}

export interface DagRequest extends ExecuteOptions, Omit<None, "dag"> {
  intent: string;
  dag: DAGStructure;
  context?: Record<string, unknown> | undefined;
  name?: string | undefined;
  description?: string | undefined;
}

export interface NamedRequest extends ExecuteOptions, Omit<None, "capability"> {
  /** Display name, alias, `name@version`, FQDN or id. */
  capability: string;
  args?: Record<string, unknown> | undefined;
  /** Stands in for `args`. */
  context?: Record<string, unknown> | undefined;
  intent?: string | undefined;
}

/** Of which only what is in it at run time says what it asks for. */
export interface OpenRequest extends ExecuteOptions, Omit<None, "code"> {
  intent: string;
  context?: Record<string, unknown> | undefined;
  code?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
}

export type ExecuteRequest =
  | SuggestRequest
  | SpeculateRequest
  | DirectRequest
  | DagRequest
  | NamedRequest
  | OpenRequest;

/** A request with its mode decided and every part there. */
export type CheckedRequest = ExecuteOptions & { inputs: Record<string, unknown> } & (
    | { mode: "suggestion"; intent: string }
    | { mode: "speculation"; intent: string }
    | {
        mode: "direct";
        intent: string;
        work: { code: string } | { dag: DAGStructure };
        name?: string;
        description?: string;
      }
    | { mode: "named"; capability: string; intent: string | undefined }
  );

/** All that a request may have. */
interface Given extends ExecuteOptions {
  intent?: string | undefined;
  context?: unknown;
  code?: string | undefined;
  dag?: DAGStructure | undefined;
  capability?: string | undefined;
  args?: unknown;
  name?: string | undefined;
  description?: string | undefined;
}

/** Throws for what cannot be meant. */
export function checkRequest(request: ExecuteRequest): CheckedRequest {
  if (typeof request !== "object" || request === null) throw invalidInput("execute takes an object.");
  const given = request as Given;
  checkPowers(given);
  const mode = modeOf(given);
  const inputs = checkInputs(mode === "named" ? (given.args ?? given.context) : given.context);
  if (mode === "named") {
    const intent = given.intent === undefined ? undefined : checkIntent(given.intent);
    return {
      ...options(given),
      mode,
      capability: checkText("The capability's name", given.capability, 500),
      intent,
      inputs,
    };
  }
  const intent = checkIntent(given.intent);
  if (mode !== "direct") return { ...options(given), mode, intent, inputs };
  const work =
    given.code === undefined ? { dag: given.dag as DAGStructure } : { code: checkText("The code", given.code) };
  return {
    ...options(given),
    mode,
    intent,
    inputs,
    work,
    ...(given.name !== undefined && { name: checkText("The name", given.name, 200) }),
    ...(given.description !== undefined && { description: checkText("The description", given.description) }),
  };
}

function modeOf({ code, dag, capability, context }: Given): ExecuteMode {
  const ways = [code, dag, capability].filter((each) => each !== undefined);
  if (ways.length > 1)
    throw invalidInput("Give one of code, dag and capability: they are three ways to say what to run.");
  if (capability !== undefined) return "named";
  if (ways.length === 1) return "direct";
  return context === undefined ? "suggestion" : "speculation";
}

function checkInputs(inputs: unknown): Record<string, unknown> {
  if (inputs === undefined) return {};
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs))
    throw invalidInput("The context, or the arguments, must be an object.");
  const encoding = encodeValue(inputs, Number.MAX_SAFE_INTEGER);
  // What is too large is for the limits of the run to say.
  if (encoding.ok || encoding.refusal.reason === "size") return inputs as Record<string, unknown>;
  const { kind, path, advice } = encoding.refusal;
  throw invalidInput(`The context, or the arguments, hold a ${kind} at ${path}. Only data can be passed; ${advice}.`);
}

/** Before anything is stored or run, rather than in the middle. */
export function checkPowers({ permissions, limits }: Pick<ExecuteOptions, "permissions" | "limits">): void {
  try {
    if (permissions !== undefined) resolvePermissions(permissions);
    resolveLimits(limits);
  } catch (error) {
    throw invalidInput((error as Error).message);
  }
}

const OPTIONS = [
  "scope",
  "signal",
  "limits",
  "permissions",
  "learn",
  "cache",
  "conversation",
  "perLayerValidation",
  "fallback",
  "onEvent",
] as const satisfies readonly (keyof ExecuteOptions)[];

function options(given: ExecuteOptions): ExecuteOptions {
  return Object.fromEntries(OPTIONS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}
