/** What a replay can find. */
export type DifferenceKind =
  | "arguments"
  | "clock"
  | "decision"
  | "error"
  | "missing_call"
  | "result"
  | "unknown_call"
  /** It cannot be compared, as it was not kept whole: too large, or secret. */
  | "withheld";

export interface Difference {
  kind: DifferenceKind;
  message: string;
  /** Where in the code: `n2/n1[0]`. */
  place?: string;
  tool?: string;
  expected?: unknown;
  actual?: unknown;
}
