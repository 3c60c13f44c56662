/** What a replay can find. */
export type DifferenceKind =
  | "arguments"
  | "clock"
  | "decision"
  | "error"
  | "missing_call"
  /** Of a trial: calls that followed each other do so no longer. */
  | "order"
  /** Of a trial: it may call what it could not. */
  | "permissions"
  | "result"
  /** Of a trial: it took far longer. */
  | "time"
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
