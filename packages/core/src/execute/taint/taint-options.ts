import { invalidInput } from "../../model/error.js";
import type { Tool } from "../../model/tool.js";

export interface TaintOptions {
  /** Tools whose results strangers write: ids, `server:*`, or `*`. Beside those that say so of themselves. */
  untrustedSources?: readonly string[];
  /** Tools that strangers must not steer: ids, `server:*`, or `*`. Beside those that say so of themselves. */
  sensitiveSinks?: readonly string[];
  /** What happens to a run in which the one may reach the other. Default `ask`. */
  policy?: "ask" | "refuse";
  /** Whether a result that only decides whether a sink is called reaches it, too. Default false. */
  conditions?: boolean;
}

/** Which tools are what, as the host has said. */
export interface Taint {
  readonly policy: "ask" | "refuse";
  readonly conditions: boolean;
  isUntrusted(tool: Tool): boolean;
  /** Nothing of what it was given is in what it gives. */
  isClean(tool: Tool): boolean;
  /** The fields of a sink; every one for `true`, none for false. */
  findSensitive(tool: Tool): boolean | readonly string[];
}

export function resolveTaint(options: TaintOptions = {}): Taint {
  const { untrustedSources = [], sensitiveSinks = [], policy = "ask", conditions = false } = options;
  if (policy !== "ask" && policy !== "refuse")
    throw invalidInput(`A policy of taint is ask or refuse, not ${String(policy)}.`);
  return {
    policy,
    conditions,
    isUntrusted: ({ id, taint }) => taint?.untrusted ?? isNamed(untrustedSources, id),
    isClean: ({ taint }) => taint?.clean === true,
    findSensitive: ({ id, taint }) => taint?.sensitive ?? isNamed(sensitiveSinks, id),
  };
}

function isNamed(patterns: readonly string[], id: string): boolean {
  return patterns.some(
    (each) => each === "*" || each === id || (each.endsWith(":*") && id.startsWith(each.slice(0, -1))),
  );
}
