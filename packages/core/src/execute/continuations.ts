import { PmlError } from "../model/error.js";
import { reviveValue } from "../model/kept-value.js";
import type { Scope } from "../model/scope.js";
import { isRepeatable } from "../model/tool.js";
import { getCapability } from "../store/capabilities.js";
import {
  answerApproval,
  findApproval,
  findWorkflow,
  holdWorkflow,
  listWorkflows,
  type Workflow,
} from "../store/workflows.js";
import type { ErrorAnswer, ExecuteAnswer, LayerResult } from "./answer.js";
import { askApproval, type Question } from "./approval.js";
import type { Job, Place, Powers } from "./job.js";
import { Journal } from "./journal.js";
import { type JobBase, prepareCapability, prepareDirect } from "./prepare.js";
import { refuse } from "./refuse.js";
import { endRejected } from "./rejected-run.js";
import type { ExecuteOptions } from "./request.js";
import { describeWork, type StoredJob } from "./stored-job.js";
import { stillRunning } from "./under-way.js";
import type { Waiting } from "./waiting.js";

export interface ResumeOptions {
  scope?: Partial<Scope>;
  /** Inputs again, where the first ones held secrets and were not kept. */
  context?: Record<string, unknown>;
  signal?: AbortSignal;
  /** Called as things happen from here on, in the place of the listener that the run was started with. */
  onEvent?: ExecuteOptions["onEvent"];
}

export interface ApproveOptions extends ResumeOptions {
  /** Only these of the tools that were asked for. */
  tools?: readonly string[];
}

type TakeUpOptions = ResumeOptions & { tools?: readonly string[]; layersSeen?: number };

/** What was asked, as it was stored. */
interface Asked {
  tools: { id: string }[];
  layerResults?: LayerResult[];
}

/** The ways back into a run that waits for an answer, or was cut off. */
export class Continuations {
  readonly #powers: Powers;
  readonly #waiting: Waiting;

  constructor(powers: Powers, waiting: Waiting) {
    this.#powers = powers;
    this.#waiting = waiting;
  }

  /** Goes on with what was asked for, with all or some of its tools. */
  async approve(id: string, options: ApproveOptions = {}): Promise<ExecuteAnswer> {
    const place = await this.#powers.open(options.scope);
    const { approval, workflow } = await this.#findWaiting(place, id);
    const asked = approval.request as Asked;
    const tools = options.tools ?? asked.tools.map((tool) => tool.id);
    const layersSeen = asked.layerResults?.length ?? 0;
    return this.#powers.underWay.hold(workflow.id, async () => {
      await answerApproval(place.context, approval.id, { approved: true, tools });
      this.#powers.metrics.count("approvalsGiven");
      return this.#takeUp(place, workflow, { ...options, tools, layersSeen });
    });
  }

  async reject(id: string, options: { reason?: string; scope?: Partial<Scope> } = {}): Promise<ErrorAnswer> {
    const place = await this.#powers.open(options.scope);
    const { approval, workflow } = await this.#findWaiting(place, id);
    const { layerResults } = approval.request as Asked;
    return this.#powers.underWay.hold(workflow.id, async () => {
      await answerApproval(place.context, approval.id, { approved: false, reason: options.reason });
      this.#waiting.take(workflow.id);
      return endRejected(place, workflow, { reason: options.reason, layerResults });
    });
  }

  /** Goes on with a run that was cut off. What it has done is not done again. */
  async resume(workflowId: string, options: ResumeOptions = {}): Promise<ExecuteAnswer> {
    const place = await this.#powers.open(options.scope);
    return this.#powers.underWay.hold(workflowId, async () => {
      const workflow = await findWorkflow(place.context, workflowId);
      if (workflow === undefined)
        throw new PmlError("PML_NOT_FOUND", `There is no unfinished workflow ${workflowId}.`, {
          details: { workflowId },
        });
      if (!(await holdWorkflow(place.context, workflowId))) throw stillRunning(workflowId);
      return this.#takeUp(place, workflow, options);
    });
  }

  /** Runs that have begun and not ended: cut off, or waiting. */
  async listUnfinished(scope?: Partial<Scope>): Promise<Workflow[]> {
    return listWorkflows((await this.#powers.open(scope)).context);
  }

  async #takeUp(
    place: Place,
    workflow: Workflow,
    { context: inputs, tools = [], layersSeen = 0, signal, onEvent }: TakeUpOptions,
  ): Promise<ExecuteAnswer> {
    const stored = workflow.request as StoredJob;
    const waiting = this.#waiting.take(workflow.id);
    const base: JobBase = {
      ...place,
      mode: stored.mode,
      workflowId: workflow.id,
      intent: stored.intent,
      options: {
        ...waiting?.options,
        ...stored.options,
        ...(signal !== undefined && { signal }),
        ...(onEvent !== undefined && { onEvent }),
      },
      approved: new Set([...stored.approved, ...tools]),
      layersSeen: Math.max(stored.layersSeen, layersSeen),
      randomSeed: stored.randomSeed,
      resumed: true,
      ...(stored.match !== undefined && { match: stored.match }),
      resolutions: stored.resolutions,
    };
    try {
      const work = waiting?.mode === "direct" ? describeWork(waiting) : {};
      const job = await this.#prepareAgain(base, { ...stored, ...work }, inputs ?? waiting?.inputs);
      const asked = await this.#askAboutOpenCalls(job);
      if (asked.answer?.status === "error")
        return endRejected(place, workflow, {
          reason: asked.answer.error.details["reason"] as string,
          layerResults: undefined,
        });
      return asked.answer ?? (await this.#waiting.run(this.#powers, asked.job));
    } catch (error) {
      return refuse(base, error, this.#powers.redact);
    }
  }

  async #prepareAgain(base: JobBase, stored: StoredJob, given: Record<string, unknown> | undefined): Promise<Job> {
    if (stored.inputsWithheld && given === undefined) {
      const message = "The inputs of this run held secrets, which are not kept. Give them again as `context`.";
      throw new PmlError("PML_RESUME_NEEDS_CONTEXT", message, { details: { workflowId: base.workflowId } });
    }
    if (stored.workWithheld && stored.code === undefined && stored.dag === undefined) {
      const message = "The code of this run held a secret and was not kept. Execute it again.";
      throw new PmlError("PML_RESUME_NEEDS_CONTEXT", message, { details: { workflowId: base.workflowId } });
    }
    const inputs = given ?? (reviveValue(stored.inputs) as Record<string, unknown>);
    const named = stored.name === undefined ? {} : { name: stored.name };
    if (stored.code !== undefined)
      return prepareDirect(this.#powers, base, { work: { code: stored.code }, inputs, ...named });
    if (stored.dag !== undefined)
      return prepareDirect(this.#powers, base, { work: { dag: stored.dag }, inputs, ...named });
    const capability = await getCapability(base.context, stored.capabilityId ?? "");
    return prepareCapability(this.#powers, base, { capability, inputs });
  }

  /** A call that was under way when the run was cut off may have happened: it is made again only if somebody says so. */
  async #askAboutOpenCalls(job: Job): ReturnType<typeof askApproval> {
    const { box, redactCall } = this.#powers;
    const journal = new Journal(job.context, job.workflowId, redactCall);
    await journal.load();
    const calls = journal.listOpen().filter(({ tool }) => !isRepeatable(box.find(tool) ?? {}));
    const listOpen = (approved: ReadonlySet<string>): Question[] =>
      calls.map(askAgain).filter(({ id }) => !approved.has(id));
    return askApproval(this.#powers, job, { listOpen });
  }

  async #findWaiting(
    place: Place,
    id: string,
  ): Promise<{ approval: { id: string; request: unknown }; workflow: Workflow }> {
    const approval = await findApproval(place.context, id);
    const workflow = approval && (await findWorkflow(place.context, approval.workflowId));
    if (approval === undefined || workflow === undefined)
      throw new PmlError("PML_NOT_FOUND", `Nothing waits for an answer under ${id}.`, { details: { id } });
    if (approval.expiresAt !== undefined && approval.expiresAt <= this.#powers.now()) {
      await endRejected(place, workflow, { reason: "it expired", layerResults: undefined });
      const message = `The approval ${approval.id} expired at ${approval.expiresAt.toISOString()}. Execute again.`;
      throw new PmlError("PML_APPROVAL_EXPIRED", message, { details: { id: approval.id } });
    }
    return { approval, workflow };
  }
}

function askAgain({ key, tool, status }: ReturnType<Journal["listOpen"]>[number]): Question {
  const what =
    status === "started"
      ? "was under way when the run was cut off, and may have happened"
      : "has happened, and its result was not kept";
  return { id: `again ${key}`, reason: `${tool} ${what}` };
}
