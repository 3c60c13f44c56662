import { LRUCache } from "lru-cache";

import type { ExecuteAnswer } from "./answer.js";
import type { Job, Powers } from "./job.js";
import { runJob } from "./run-job.js";

const MOST_WAITING = 1000;

/** Jobs that wait for an answer in this process, with what was not written down: secrets, signals, listeners. */
export class Waiting {
  readonly #jobs = new LRUCache<string, Job>({ max: MOST_WAITING });

  /** Runs a job, and remembers it should it have to wait. */
  async run(powers: Powers, job: Job): Promise<ExecuteAnswer> {
    const answer = await runJob(powers, job);
    if (answer.status === "approval_required") this.#jobs.set(job.workflowId, job);
    return answer;
  }

  take(workflowId: string): Job | undefined {
    const job = this.#jobs.get(workflowId);
    this.#jobs.delete(workflowId);
    return job;
  }
}
