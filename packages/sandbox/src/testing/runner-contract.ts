import type { Limits } from "../limits.js";
import type { Runner } from "../runner/runner.js";
import { CONFINEMENT } from "./contract-confinement.js";
import { CONVERSATION } from "./contract-conversation.js";
import { LIMITS } from "./contract-limits.js";
import { createTrial } from "./trial.js";

/** Makes a runner whose programs get limits up to these. */
export type CreateRunner = (limits: Limits) => Runner;

/** One promise a runner makes. */
export interface ContractCase {
  name: string;
  /** Throws when the runner breaks it. Makes a runner of its own, and closes it. */
  verify(createRunner: CreateRunner): Promise<void>;
}

/**
 * What every runner has to do, for a test framework of your choice:
 * `for (const { name, verify } of runnerContract) it(name, () => verify(createMyRunner));`
 */
export const runnerContract: readonly ContractCase[] = [...CONVERSATION, ...LIMITS, ...CONFINEMENT].map(
  ({ name, check }) => ({
    name,
    async verify(createRunner) {
      const trial = createTrial(createRunner);
      try {
        await check(trial);
      } finally {
        await trial.close();
      }
    },
  }),
);
