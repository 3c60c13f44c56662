/** Where data may go in ways that the flow of a structure does not show. */
export interface BlindSpot {
  readonly reason: string;
  /** Line of the agent's code, from 1. */
  readonly line: number;
  /** What a name stands for may change before it is used: not even a literal is sure. */
  readonly late?: true;
}
