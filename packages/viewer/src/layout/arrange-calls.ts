export interface RowCall {
  readonly index: number;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Arrangement {
  readonly cells: readonly { readonly index: number; readonly column: number; readonly lane: number }[];
  readonly columns: number;
  readonly lanes: number;
}

interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: string;
}

/**
 * A column for each moment: a call stands right of all that ended before it, and of the call it was made in. What ran at
 * the same time is in one column, in lanes.
 */
export function arrangeCalls(calls: readonly RowCall[], links: readonly Link[]): Arrangement {
  const ordered = [...calls].sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs || a.index - b.index);
  const before = listBefore(ordered, links);
  const columns = new Map<number, number>();
  const filled = new Map<number, number>();
  const cells = ordered.map(({ index }) => {
    const column = 1 + Math.max(-1, ...(before.get(index) ?? []).map((each) => columns.get(each) ?? -1));
    const lane = filled.get(column) ?? 0;
    columns.set(index, column);
    filled.set(column, lane + 1);
    return { index, column, lane };
  });
  return {
    cells,
    columns: 1 + Math.max(0, ...columns.values()),
    lanes: Math.max(1, ...filled.values()),
  };
}

/** What each call comes after. An edge that runs against time says nothing. */
function listBefore(ordered: readonly RowCall[], links: readonly Link[]): Map<number, number[]> {
  const ranks = new Map(ordered.map(({ index }, rank) => [index, rank]));
  const before = new Map<number, number[]>();
  for (const { from, to } of links) {
    const [start, end] = [ranks.get(from), ranks.get(to)];
    if (start === undefined || end === undefined || start >= end) continue;
    before.set(to, [...(before.get(to) ?? []), from]);
  }
  return before;
}
