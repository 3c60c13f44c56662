import type { Analysis } from "@pml/analyzer";

import { canonicalJson } from "../model/identity.js";
import { isOmitted, keepValue } from "../model/kept-value.js";
import { REDACTED } from "../model/secret-patterns.js";
import { TRACE_BYTES } from "./finish.js";
import type { Difference } from "./replay.js";
import type { Redacting } from "./run-redaction.js";

/** Two values of which the first is as a trace keeps it. */
type Compared = Pick<Difference, "kind" | "place" | "tool"> & { expected: unknown; actual: unknown };

export type Compare = (what: string, values: Compared) => void;

/** A value as a trace would keep it; what a tool is given, by what its schema marks as well. */
export function keepForTrace({ redact, redactCall }: Redacting, value: unknown, tool?: string): unknown {
  const clean = tool === undefined ? redact(value) : redactCall(tool, "input", value);
  return keepValue(clean, TRACE_BYTES);
}

/** Something of it was taken out before it was kept: too large, not data, or secret. */
export function isWithheld(kept: unknown): boolean {
  return isOmitted(kept) || canonicalJson(kept).includes(REDACTED);
}

/** What was kept is compared with what would be kept now; what is missing from either is neither equal nor different. */
export function createCompare(redacting: Redacting, onDifference: (difference: Difference) => void): Compare {
  return (what, { kind, expected, actual, ...place }) => {
    const now = keepForTrace(redacting, actual, place.tool);
    const isSame = canonicalJson(expected ?? null) === canonicalJson(now ?? null);
    if (isOmitted(expected) || (isSame && isWithheld(expected)))
      onDifference({
        kind: "withheld",
        message: `${what} cannot be compared: it was not kept whole.`,
        ...place,
        expected,
      });
    else if (!isSame) onDifference({ kind, message: `${what} is not what it was.`, ...place, expected, actual: now });
  };
}

type Decision = { readonly nodeId: string; readonly outcome: string };

/** How often each decision went each way: the order may depend on which tool answers first. */
export function compareDecisions(
  before: readonly Decision[],
  after: readonly Decision[],
  isComparable: (nodeId: string) => boolean,
): Difference[] {
  const [expected, actual] = [countWays(before), countWays(after)];
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((way) => {
    const [nodeId = "", outcome = ""] = JSON.parse(way) as string[];
    const [then, now] = [expected.get(way) ?? 0, actual.get(way) ?? 0];
    if (then === now || !isComparable(nodeId)) return [];
    const message = `Decision ${nodeId} went "${outcome}" ${now} times instead of ${then}.`;
    return [{ kind: "decision", message, place: nodeId, expected: then, actual: now }];
  });
}

/** Decisions of other code are the same ones where they ask the same under the same id. */
export function listSharedDecisions(code: Analysis, own: Analysis): Set<string> {
  const conditions = new Map(
    own.structure.nodes.flatMap((node) => (node.type === "decision" ? [[node.id, node.condition]] : [])),
  );
  const shared = code.structure.nodes.filter(
    (node) => node.type === "decision" && conditions.get(node.id) === node.condition,
  );
  return new Set(shared.map(({ id }) => id));
}

function countWays(decisions: readonly Decision[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { nodeId, outcome } of decisions) {
    const key = JSON.stringify([nodeId, outcome]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
