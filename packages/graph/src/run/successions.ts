interface Timed {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Who came right after whom: the first had ended when the second began, and nothing began and ended between the two.
 * What overlaps in time ran in parallel and has no order. One sweep over time, so long runs stay cheap.
 */
export function listSuccessions<Call extends Timed>(calls: readonly Call[]): [Call, Call][] {
  const byStart = [...calls].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const byEnd = [...calls].sort((a, b) => a.endMs - b.endMs || a.startMs - b.startMs);
  const found: [Call, Call][] = [];
  let front: Call[] = [];
  let latestStart = Number.NEGATIVE_INFINITY;
  let ended = 0;
  for (const after of byStart) {
    const earlier = front.length;
    for (let call = byEnd[ended]; call !== undefined && hasEnded(call, after); call = byEnd[++ended]) {
      front.push(call);
      latestStart = Math.max(latestStart, call.startMs);
    }
    if (front.length > earlier)
      front = front.filter((call) => call.endMs > latestStart || call.startMs === latestStart);
    for (const before of front) found.push([before, after]);
  }
  return found;
}

/** A call that took no measurable time did not come before one that began in the same moment. */
export function hasEnded(before: Timed, after: Timed): boolean {
  return before.endMs <= after.startMs && before.startMs < after.startMs;
}
