import type { Query } from "../../discover/candidate.js";
import { maskValues } from "../../discover/mask-values.js";
import type { Capability } from "../../model/capability.js";
import { listByIds } from "../../store/capabilities.js";
import type { StoreContext } from "../../store/context.js";
import { listPastIntentsById, listServedIntents } from "../../store/past-intents.js";
import { type Hidden, hideVectors } from "../../store/vectors/hidden-vectors.js";
import { defaultsOf } from "../analyses.js";
import type { Question } from "./questions.js";
import { sameWords } from "./same-words.js";

/** Two wordings of a request rarely come this close; copies of one do. */
const COPY = 0.95;
const LOOKED_AT = 200;

interface Found {
  intents: Set<string>;
  capabilities: Set<string>;
  hasCopies: boolean;
}

export interface HeldOut {
  hidden: Hidden;
  /** What was asked, embedded. */
  queries: readonly Query[];
  /** Something was held out although it says it in other words: it is all but a copy. */
  hasCopies: boolean;
  /** Something still leads to this capability. */
  isLeft: (capabilityId: string) => boolean;
}

/**
 * What the memory would not have, had nobody asked this or what says the same: the past intents and the capabilities'
 * own ones that its runs taught, that say the same, or that are all but a copy.
 */
export async function holdOut(context: StoreContext, question: Question, queries: readonly Query[]): Promise<HeldOut> {
  const found: Found = { intents: new Set(), capabilities: new Set(), hasCopies: false };
  await addIntents(context, question, { found, ids: listTaught(question) });
  for (const query of queries) await addNear(context, question, { found, query });
  const { intents, capabilities } = found;
  const served = await listServedIntents(context, [...capabilities]);
  const isLeft = (id: string): boolean =>
    !capabilities.has(id) || (served.get(id) ?? []).some((intent) => !intents.has(intent));
  const capabilitiesGone = [...capabilities].filter((id) => !isLeft(id)).length;
  const hidden = { intent: intents, capability: capabilities, capabilitiesGone };
  return { hidden, queries, hasCopies: found.hasCopies, isLeft };
}

/** The memory without all of these. What was asked has been embedded, and need not be again. */
export function withoutHeldOut(context: StoreContext, heldOut: readonly HeldOut[]): StoreContext {
  const vectors = hideVectors(context.vectors, {
    intent: new Set(heldOut.flatMap(({ hidden }) => [...hidden.intent])),
    capability: new Set(heldOut.flatMap(({ hidden }) => [...hidden.capability])),
    capabilitiesGone: heldOut.reduce((sum, { hidden }) => sum + hidden.capabilitiesGone, 0),
  });
  const known = new Map(heldOut.flatMap(({ queries }) => queries.map(({ text, vector }) => [text, vector] as const)));
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const found = texts.flatMap((text) => known.get(text) ?? []);
    return found.length === texts.length ? found : vectors.embed(texts);
  };
  return { ...context, vectors: { ...vectors, embed } };
}

function listTaught({ runs }: Question): string[] {
  return runs.flatMap(({ learned }) => learned.flatMap(({ kind, key }) => (kind === "intent_memory" ? [key] : [])));
}

interface Adding {
  found: Found;
  query: Query;
}

/** Of the nearest, until enough are left that a search reads nothing beyond. */
async function addNear(context: StoreContext, question: Question, { found, query }: Adding): Promise<void> {
  for (let limit = LOOKED_AT; ; limit *= 2) {
    const { scope, vectors } = context;
    const [intents, capabilities] = await Promise.all([
      vectors.search("intent", query.vector, { limit, scope }),
      vectors.search("capability", query.vector, { limit, scope }),
    ]);
    const copies = new Set([...intents, ...capabilities].flatMap(({ id, cosine }) => (cosine >= COPY ? [id] : [])));
    await addIntents(context, question, { found, copies, ids: intents.map(({ id }) => id) });
    await addCapabilities(context, question, { found, copies, ids: capabilities.map(({ id }) => id) });
    const isDone = (ids: readonly { id: string }[], hidden: ReadonlySet<string>): boolean =>
      ids.length < limit || ids.filter(({ id }) => hidden.has(id)).length <= limit / 2;
    if (isDone(intents, found.intents) && isDone(capabilities, found.capabilities)) return;
  }
}

interface Candidates {
  found: Found;
  ids: readonly string[];
  copies?: ReadonlySet<string>;
}

async function addIntents(context: StoreContext, question: Question, given: Candidates): Promise<void> {
  const { found, ids, copies } = given;
  for (const { id, intent } of await listPastIntentsById(context, ids))
    add(found, { kind: "intents", id, isSame: copies === undefined || sameWords(intent) === question.key, copies });
}

async function addCapabilities(context: StoreContext, question: Question, given: Candidates): Promise<void> {
  const { found, ids, copies } = given;
  const hashes = new Set(question.runs.flatMap(({ work }) => work?.hash ?? []));
  for (const capability of await listByIds(context, ids)) {
    const isSame = hashes.has(capability.hash) || saysSame(capability, question);
    add(found, { kind: "capabilities", id: capability.id, isSame, copies });
  }
}

interface View {
  copies: ReadonlySet<string> | undefined;
  kind: "intents" | "capabilities";
  id: string;
  isSame: boolean;
}

function add(found: Found, { kind, id, isSame, copies }: View): void {
  if (found[kind].has(id)) return;
  const isCopy = copies?.has(id) === true;
  if (isSame || isCopy) found[kind].add(id);
  if (isCopy && !isSame) found.hasCopies = true;
}

function saysSame(capability: Capability, { key }: Question): boolean {
  const { intent } = capability;
  return [intent, maskValues(intent, defaultsOf(capability)).text].some((text) => sameWords(text) === key);
}
