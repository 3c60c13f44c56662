import type { LoggedCall } from "../../learn/run-log.js";
import { canonicalJson } from "../../model/identity.js";
import { keepValue } from "../../model/kept-value.js";
import type { Difference } from "../replay-difference.js";

interface Pair {
  before: LoggedCall;
  after: LoggedCall;
}

/** As much of an argument as a call may have is looked at. */
const WHOLE = Number.MAX_SAFE_INTEGER;

/** What of the calls of one run is otherwise in another: which tools were called, with what, and after which others. */
export function compareCalls(
  before: readonly LoggedCall[],
  after: readonly LoggedCall[],
  isRead: (tool: string) => boolean,
): Difference[] {
  const { pairs, missing, extra } = pairAlike(before, after);
  const changed = missing.map((call) => {
    const at = extra.findIndex(({ name }) => name === call.name);
    return at === -1 ? describeMissing(call) : describeArguments(call, extra.splice(at, 1)[0] as LoggedCall);
  });
  return [...changed, ...extra.map(describeExtra), ...findDisorder(pairs, isRead)];
}

/** Values of one run that are the same in the other, whatever the order of their keys. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  return canonicalJson(keepValue(value, WHOLE) ?? null);
}

function pairAlike(
  before: readonly LoggedCall[],
  after: readonly LoggedCall[],
): { pairs: Pair[]; missing: LoggedCall[]; extra: LoggedCall[] } {
  const left = new Map<string, LoggedCall[]>();
  for (const call of after) left.set(keyOf(call), [...(left.get(keyOf(call)) ?? []), call]);
  const pairs: Pair[] = [];
  const missing: LoggedCall[] = [];
  for (const call of before) {
    const same = left.get(keyOf(call))?.shift();
    if (same === undefined) missing.push(call);
    else pairs.push({ before: call, after: same });
  }
  return { pairs, missing, extra: [...left.values()].flat() };
}

function keyOf({ name, args }: LoggedCall): string {
  return `${name} ${textOf(args ?? {})}`;
}

/** What had ended before something else began has to go on doing so, unless both only read. The first that does not. */
function findDisorder(pairs: readonly Pair[], isRead: (tool: string) => boolean): Difference[] {
  for (const [at, second] of pairs.entries()) {
    const first = pairs
      .slice(0, at)
      .find(
        (each) =>
          !(isRead(each.before.name) && isRead(second.before.name)) &&
          each.before.endMs <= second.before.startMs &&
          each.after.endMs > second.after.startMs,
      );
    if (first === undefined) continue;
    const message = `${second.before.name} no longer waits for ${first.before.name}.`;
    return [{ kind: "order", message, tool: second.before.name, ...placeOf(second.after) }];
  }
  return [];
}

function describeMissing(call: LoggedCall): Difference {
  const message = `${call.name} was called then, and not now.`;
  return { kind: "missing_call", message, tool: call.name, ...placeOf(call), expected: call.args };
}

function describeExtra(call: LoggedCall): Difference {
  const message = `${call.name} is called, and was not.`;
  return { kind: "unknown_call", message, tool: call.name, ...placeOf(call), actual: call.args };
}

function describeArguments(before: LoggedCall, after: LoggedCall): Difference {
  const message = `${before.name} is called with other arguments.`;
  const { name: tool, args: expected } = before;
  return { kind: "arguments", message, tool, ...placeOf(after), expected, actual: after.args };
}

function placeOf({ nodeId }: LoggedCall): { place?: string } {
  return nodeId === undefined ? {} : { place: nodeId };
}
