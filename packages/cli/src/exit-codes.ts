/** What a script that calls `pml` can tell apart. */
export const EXIT_CODES: { done: 0; failed: 1; usage: 2; waiting: 3; interrupted: 130 } = {
  done: 0,
  failed: 1,
  usage: 2,
  /** It would go on if a person said yes. */
  waiting: 3,
  interrupted: 130,
};
