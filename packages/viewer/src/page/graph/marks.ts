/** What stands out of a graph for the moment. */
export interface Marks {
  /** The node that is looked at, with all it is joined to. */
  selected: number | undefined;
  /** The node under the pointer. */
  hovered: number | undefined;
  /** What was searched for, or belongs to one community; nothing is empty, everything is undefined. */
  matches: ReadonlySet<number> | undefined;
}

export const NO_MARKS: Marks = { selected: undefined, hovered: undefined, matches: undefined };

/** The rest of the graph steps back. */
export function isDimmed({ selected, matches }: Marks): boolean {
  return selected !== undefined || matches !== undefined;
}
