import type { Query } from "../../discover/candidate.js";
import { type Discovered, discover } from "../../discover/discover.js";
import { maskValues } from "../../discover/mask-values.js";
import { SPECULATION } from "../../learn/outcomes.js";
import type { Capability } from "../../model/capability.js";
import { listByIds, listByShapes } from "../../store/capabilities.js";
import type { StoreContext } from "../../store/context.js";
import { type Hidden, hideVectors } from "../../store/vectors/hidden-vectors.js";
import type { CanRun } from "../can-run.js";
import { chooseCapability, describeDeed } from "../choose-capability.js";
import { fillParameters } from "../fill-parameters.js";
import type { Place } from "../job.js";
import { type HeldOut, holdOut } from "./hold-out.js";
import type { Question } from "./questions.js";

/** What the memory does for an intent when it does not know it. */
export interface Answered extends Pick<HeldOut, "hasCopies"> {
  /** Something that served it is still there. */
  isKnown: boolean;
  /** The probability that what would be chosen is what was meant; undefined where nothing would be. */
  score: number | undefined;
  isRight: boolean;
  wouldRun: boolean;
  amongFive: boolean;
  /** Of the tools that served. */
  tools: { first: boolean; share: number } | undefined;
}

const OFFERED = 5;

export interface Asking {
  /** What came with the intent. */
  inputs: Record<string, unknown>;
  canRun: CanRun;
}

/** Asks as a host does, on the same way through the same code, of a memory that lacks what the intent taught. */
export async function ask(place: Place, question: Question, { inputs, canRun }: Asking): Promise<Answered> {
  const { intent } = question.newest;
  const queries = await embed(place, [...new Set([maskValues(intent, inputs).text, intent])]);
  const { hidden, hasCopies, isLeft } = await holdOut(place.context, question, queries);
  const lacking = lack(place, hidden, queries);
  const serving = await listServing(place.context, question, { inputs, isLeft });
  const { threshold } = place.workspace.knowledge.thresholds.get(SPECULATION);
  const choice = await chooseCapability(lacking, { intent, inputs, threshold, canRun });
  const offered = await find(lacking, intent, "capability");
  const tools = await find(lacking, intent, "tool");
  return {
    hasCopies,
    isKnown: serving.size > 0,
    score: choice?.match,
    isRight: choice !== undefined && serving.has(choice.capability.id),
    wouldRun: choice !== undefined && choice.match >= threshold && choice.filling.ok && canRun(choice.capability),
    amongFive: offered.some(({ id }) => serving.has(id)),
    tools: judgeTools(await listServingTools(place, question), tools),
  };
}

async function embed({ context }: Place, texts: readonly string[]): Promise<Query[]> {
  const vectors = await context.vectors.embed(texts);
  return texts.map((text, at) => ({ text, vector: vectors[at] as Float32Array }));
}

/** The place without what is hidden. What is asked there has been embedded already. */
function lack(place: Place, hidden: Hidden, queries: readonly Query[]): Place {
  const vectors = hideVectors(place.context.vectors, hidden);
  const known = new Map(queries.map(({ text, vector }) => [text, vector]));
  const embedAnew = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const found = texts.flatMap((text) => known.get(text) ?? []);
    return found.length === texts.length ? found : vectors.embed(texts);
  };
  return { ...place, context: { ...place.context, vectors: { ...vectors, embed: embedAnew } } };
}

/** What served it, and what would have done the very same; of what is left. */
async function listServing(
  context: StoreContext,
  { runs }: Question,
  { inputs, isLeft }: Pick<Asking, "inputs"> & Pick<HeldOut, "isLeft">,
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
  const usable = [...served, ...alike].filter(({ id, status }) => status !== "draft" && isLeft(id));
  return new Set(usable.map(({ id }) => id));
}

async function find(place: Place, intent: string, type: Discovered["type"]): Promise<Discovered[]> {
  const { context, workspace } = place;
  const surroundings = { context, knowledge: workspace.knowledge, catalog: await workspace.catalog() };
  const { results } = await discover(surroundings, { intent, filter: { type }, limit: OFFERED, detail: "summary" });
  return results;
}

/** Those that are still here. */
async function listServingTools({ workspace }: Place, { runs }: Question): Promise<string[]> {
  const catalog = await workspace.catalog();
  const tools = new Set(runs.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  return [...tools].filter((tool) => catalog.find(tool) !== undefined);
}

function judgeTools(served: readonly string[], found: readonly Discovered[]): Answered["tools"] {
  if (served.length === 0) return undefined;
  const offered = new Set(found.map(({ id }) => id));
  const share = served.filter((tool) => offered.has(tool)).length / served.length;
  return { first: found[0] !== undefined && served.includes(found[0].id), share };
}
