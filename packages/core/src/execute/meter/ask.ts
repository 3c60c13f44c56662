import type { Query } from "../../discover/candidate.js";
import { discover } from "../../discover/discover.js";
import { maskValues } from "../../discover/mask-values.js";
import type { ToolCatalog } from "../../discover/tool-catalog.js";
import { SPECULATION } from "../../learn/outcomes.js";
import type { Capability } from "../../model/capability.js";
import { listByIds, listByShapes } from "../../store/capabilities.js";
import type { StoreContext } from "../../store/context.js";
import type { CanRun } from "../can-run.js";
import { chooseCapability, describeDeed } from "../choose-capability.js";
import { fillParameters } from "../fill-parameters.js";
import type { Place } from "../job.js";
import { type HeldOut, holdOut, withoutHeldOut } from "./hold-out.js";
import type { Question } from "./questions.js";

/** What the memory does for an intent when it does not know it. */
export interface Answered {
  question: Question;
  heldOut: HeldOut;
  /** Something that served it is still there. */
  isKnown: boolean;
  /** The probability that what would be chosen is what was meant; undefined where nothing would be. */
  score: number | undefined;
  isRight: boolean;
  wouldRun: boolean;
  amongFive: boolean;
}

/** Of what is offered. */
export const LOOKED_AT = 5;

export interface Asking {
  /** What came with the intent. */
  inputs: Record<string, unknown>;
  catalog: ToolCatalog;
  canRun: CanRun;
}

/** Asks as a host does, on the same way through the same code, of a memory that lacks what the intent taught. */
export async function ask(place: Place, question: Question, { inputs, catalog, canRun }: Asking): Promise<Answered> {
  const { intent } = question.newest;
  const queries = await embed(place.context, [...new Set([maskValues(intent, inputs).text, intent])]);
  const heldOut = await holdOut(place.context, question, queries);
  const context = withoutHeldOut(place.context, [heldOut]);
  const serving = await listServing(place.context, question, { inputs, heldOut });
  const { knowledge } = place.workspace;
  const { threshold } = knowledge.thresholds.get(SPECULATION);
  const choice = await chooseCapability({ ...place, context }, { intent, inputs, threshold, canRun });
  const offered = await discover(
    { context, knowledge, catalog },
    { intent, filter: { type: "capability" }, limit: LOOKED_AT, detail: "summary" },
  );
  return {
    question,
    heldOut,
    isKnown: serving.size > 0,
    score: choice?.match,
    isRight: choice !== undefined && serving.has(choice.capability.id),
    wouldRun: choice !== undefined && choice.match >= threshold && choice.filling.ok && canRun(choice.capability),
    amongFive: offered.results.some(({ id }) => serving.has(id)),
  };
}

async function embed({ vectors }: StoreContext, texts: readonly string[]): Promise<Query[]> {
  const embedded = await vectors.embed(texts);
  return texts.map((text, at) => ({ text, vector: embedded[at] as Float32Array }));
}

/** What served it, and what would have done the very same; of what is left. */
async function listServing(
  context: StoreContext,
  { runs }: Question,
  { inputs, heldOut }: Pick<Asking, "inputs"> & Pick<Answered, "heldOut">,
): Promise<Set<string>> {
  const served = await listByIds(context, [...new Set(runs.map(({ capabilityId }) => capabilityId))]);
  const deedOf = (capability: Capability): string | undefined => {
    const filling = fillParameters(capability, inputs);
    return filling.ok ? describeDeed({ capability, filling }) : undefined;
  };
  const deeds = new Set(served.flatMap((each) => deedOf(each) ?? []));
  const shaped = await listByShapes(
    context,
    served.flatMap(({ shape }) => shape ?? []),
  );
  const alike = shaped.filter((each) => deeds.has(deedOf(each) ?? ""));
  const usable = [...served, ...alike].filter(({ id, status }) => status !== "draft" && heldOut.isLeft(id));
  return new Set(usable.map(({ id }) => id));
}
