import { OUTCOME } from "../../learn/outcomes.js";
import { checkNumber } from "../../model/text.js";
import { findCapability } from "../../store/capabilities.js";
import type { StoreContext } from "../../store/context.js";
import { countMeasuredRuns, listMeasuredRuns } from "../../store/measured-runs.js";
import { defaultsOf } from "../analyses.js";
import { findWhatCanRun } from "../can-run.js";
import type { Place, Powers } from "../job.js";
import { askTools } from "./ask-tools.js";
import { ask, type Answered } from "./ask.js";
import { calibrate } from "./calibration.js";
import type { EvaluateRequest, Evaluation } from "./evaluation.js";
import { Leaks } from "./leaks.js";
import { listOutcomes, measureAutomatic, measureReuse } from "./past-runs.js";
import {
  addKey,
  isWitness,
  type KeyedRun,
  listGiven,
  listQuestions,
  type Question,
  type Witness,
} from "./questions.js";
import { listScored, measureRecall } from "./recall.js";
import { measureSavings } from "./savings.js";

const DEFAULT_RUNS = 1000;
const MOST_RUNS = 10_000;
const PAGE = 200;
const TAUGHT = ["intent_memory", OUTCOME];

/** Says what the memory is worth, by the runs it keeps. Nothing runs, nothing is learned and nothing is stored. */
export async function evaluate(
  powers: Powers,
  place: Place,
  { limit = DEFAULT_RUNS, signal = new AbortController().signal }: Omit<EvaluateRequest, "scope">,
): Promise<Evaluation> {
  checkNumber("The limit", limit, { min: 1, max: MOST_RUNS });
  signal.throwIfAborted();
  const runs = await readRuns(place.context, limit, signal);
  const { intents, questions } = await choose(place, runs, signal);
  const answers = await askAll(place, { powers, questions, signal });
  return {
    runs: { looked: runs.length, kept: Math.max(runs.length, await countMeasuredRuns(place.context)) },
    intents: { ...intents, copied: answers.filter(({ heldOut }) => heldOut.hasCopies).length },
    recall: await measureRecall(answers, await askTools(place, answers, signal)),
    reuse: measureReuse(runs),
    automatic: measureAutomatic(runs),
    saved: await measureSavings(runs),
    calibration: { heldOut: await calibrate(listScored(answers)), outcomes: await calibrate(listOutcomes(runs)) },
  };
}

async function readRuns(context: StoreContext, limit: number, signal: AbortSignal): Promise<KeyedRun[]> {
  const runs: KeyedRun[] = [];
  while (runs.length < limit) {
    signal.throwIfAborted();
    const size = Math.min(PAGE, limit - runs.length);
    const page = await listMeasuredRuns(context, { kinds: TAUGHT, after: runs.at(-1), limit: size });
    runs.push(...page.map(addKey));
    if (page.length < size) break;
  }
  return runs;
}

/** What is asked, and how much was left out. */
async function choose(
  { context, workspace }: Place,
  runs: readonly KeyedRun[],
  signal: AbortSignal,
): Promise<{ intents: Omit<Evaluation["intents"], "copied">; questions: Question[] }> {
  const witnesses = runs.filter(isWitness);
  const all = listQuestions(witnesses);
  const leaks = await Leaks.read(context, (await workspace.catalog()).list(), signal);
  const found = all.map((question) => leaks.find(question));
  const questions = all.filter((_, at) => found[at] === undefined);
  const leaked = {
    names: found.filter((leak) => leak === "name").length,
    descriptions: found.filter((leak) => leak === "description").length,
  };
  const repeats = witnesses.length - all.length;
  return { intents: { served: witnesses.length, repeats, leaked, asked: questions.length }, questions };
}

interface Asked {
  powers: Powers;
  questions: readonly Question[];
  signal: AbortSignal;
}

async function askAll(place: Place, { powers, questions, signal }: Asked): Promise<Answered[]> {
  const catalog = await place.workspace.catalog();
  const canRun = await findWhatCanRun(place, (tool) => catalog.find(tool) !== undefined);
  const answers: Answered[] = [];
  for (const question of questions) {
    signal.throwIfAborted();
    const inputs = listGiven(question.newest, await readWritten(powers, place.context, question.newest));
    answers.push(await ask(place, question, { inputs, catalog, canRun }));
  }
  return answers;
}

/** What stands in the code that was given, or is the default of what was called. */
async function readWritten(
  powers: Powers,
  context: StoreContext,
  { work, capabilityId, args }: Witness,
): Promise<Record<string, unknown>> {
  if (work?.source.type === "code") return findLiterals(powers, work.source.code) ?? (args as Record<string, unknown>);
  const capability = work === undefined ? await findCapability(context, capabilityId) : undefined;
  return capability === undefined ? {} : defaultsOf(capability);
}

/** Undefined for code that cannot be read any more: nobody knows what was given beside it. */
function findLiterals(powers: Powers, code: string): Record<string, unknown> | undefined {
  try {
    return powers.analyses().analyse(code).parameterised.defaults;
  } catch {
    return undefined;
  }
}
