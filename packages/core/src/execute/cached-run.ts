import { isReadOnly } from "../model/tool.js";
import type { ExecuteAnswer } from "./answer.js";
import { listToAsk } from "./closure.js";
import { succeededAnswer } from "./job-answers.js";
import type { Job, Powers } from "./job.js";
import type { Ran } from "./run-code.js";

export async function findCached(powers: Powers, job: Job): Promise<ExecuteAnswer | undefined> {
  if (job.resumed || !isCacheable(powers, job)) return undefined;
  powers.metrics.count("cacheLookups");
  const hit = teachesMore(job) ? undefined : await powers.caches.find(job);
  if (hit === undefined) return undefined;
  powers.metrics.count("cacheHits");
  return succeededAnswer(job, { value: hit.result, cacheHit: hit.level });
}

/** Keeps what a run gave, if another one would give the same. */
export async function keepResult(
  powers: Powers,
  job: Job,
  { ran, value }: { ran: Ran; value: unknown },
): Promise<void> {
  const mayKeep = isCacheable(powers, job) && !isOfItsMoment(ran, job) && powers.redact(value) === value;
  if (mayKeep) await keep(powers, job, { value, traceId: ran.traceId });
}

/** A run that would make a draft a capability, or give it its name, is worth more than its answer. */
function teachesMore({ mode, capability, name }: Job): boolean {
  return (mode === "direct" && capability?.status === "draft") || (name !== undefined && capability?.name !== name);
}

/** Only what changed nothing, and could change nothing, may be answered from memory. */
function isCacheable({ box }: Powers, { options, dag, closure: { tools, computed } }: Job): boolean {
  if (options.cache === false || options.perLayerValidation === true || computed.length > 0) return false;
  return tools.every((id) => isReadOnly(box.get(id))) && (tools.length > 0 || dag === undefined);
}

/** What a run gave that looked at the clock, or threw dice, is true of that moment. */
function isOfItsMoment({ recording }: Ran, { analysis, closure }: Job): boolean {
  const texts = [analysis.source, ...closure.callees.map(({ code }) => code)];
  const mentions = (names: RegExp): boolean => texts.some((text) => names.test(text));
  if (mentions(/\brandom\b/)) return true;
  return recording === undefined ? mentions(/\b(?:Date|performance)\b/) : recording.clock.length > 0;
}

/** By its intent only where nobody had to be asked: a question is not to be answered from memory. */
async function keep(
  { box, caches }: Powers,
  job: Job,
  { value, traceId }: { value: unknown; traceId: string },
): Promise<void> {
  const byIntent = caches.keepsByIntent(job) && listToAsk(job.closure, box).length === 0;
  const [vector] = byIntent ? await job.context.vectors.embed([job.intent ?? ""]) : [];
  await caches.put(job, { result: value, traceId, ...(vector !== undefined && { intentVector: vector }) });
}
