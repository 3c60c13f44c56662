import type { Query } from "./candidate.js";
import { cosine } from "./likeness.js";
import { SAME_REQUEST_WEIGHTS } from "./same-request-weights.js";
import type { SameRequestWeights } from "./weights.js";
import { listContentWords } from "./words.js";

/** A stored request, and the tools that served it. */
export interface StoredRequest extends Query {
  id: string;
  toolIds: readonly string[];
}

/** The stored request nearest to a query, and what speaks for and against their being the same. */
export interface NearestRequest {
  request: StoredRequest;
  features: readonly number[];
}

const NEIGHBOURS = 5;
/** Shares of the blend that finds the nearest: meaning leads, wording and exact values break ties. */
const BLEND = { meaning: 1, words: 0.35, values: 0.2 };

/** The probability that the nearest stored request asks for the same, as the shipped model reads its features. */
export function judgeSame(
  { features }: Pick<NearestRequest, "features">,
  weights: SameRequestWeights = SAME_REQUEST_WEIGHTS,
): number {
  const odds = features.reduce((sum, feature, index) => sum + feature * (weights[index + 1] ?? 0), weights[0] ?? 0);
  return 1 / (1 + Math.exp(-odds));
}

export function findNearestRequest(query: Query, stored: readonly StoredRequest[]): NearestRequest | undefined {
  const asked = describeText(query.text);
  const ranked = stored
    .map((request) => compare(query, asked, request))
    .sort((a, b) => b.blend - a.blend)
    .slice(0, NEIGHBOURS);
  const best = ranked[0];
  if (best === undefined) return undefined;
  return { request: best.request, features: describe(best, ranked.slice(1), stored.length) };
}

/** A past request whose likeness in meaning to the query is known, and what it was served by. */
export interface NearRequest extends Omit<StoredRequest, "vector"> {
  meaning: number;
  /** Requests served by the same are wordings of one another, not rivals. */
  servedBy: string;
}

export interface JudgedRequest {
  request: NearRequest;
  probability: number;
}

/** For each that served a near request: its nearest one, and the probability that the query asks for the same. */
export function judgeEach(text: string, near: readonly NearRequest[], storedCount: number): JudgedRequest[] {
  const asked = describeText(text);
  const best = new Map<string, Comparison<NearRequest>>();
  for (const request of near) {
    const comparison = compareText(asked, request, request.meaning);
    if (comparison.blend > (best.get(request.servedBy)?.blend ?? -Infinity)) best.set(request.servedBy, comparison);
  }
  const ranked = [...best.values()].sort((a, b) => b.blend - a.blend || (a.request.id < b.request.id ? -1 : 1));
  return ranked.map((each) => {
    const rivals = ranked.filter((other) => other !== each).slice(0, NEIGHBOURS - 1);
    const features = describe(each, rivals, storedCount);
    return { request: each.request, probability: judgeSame({ features }) };
  });
}

function describe(best: Comparison, rivals: readonly Comparison[], storedCount: number): number[] {
  const { meaning, words, values, length, blend } = best;
  const [rival] = rivals;
  // Without a rival there is no lead to speak for it: only how near it is.
  const [margin, alone] = rival === undefined ? [0, 1] : [blend - rival.blend, 0];
  const stored = Math.log1p(storedCount) / 10;
  return [meaning, blend, margin, words, values, length, agreement([best, ...rivals]), stored, alone];
}

interface Comparison<Request extends Omit<StoredRequest, "vector"> = Omit<StoredRequest, "vector">> {
  request: Request;
  meaning: number;
  words: number;
  values: number;
  length: number;
  blend: number;
}

interface TextDescription {
  words: ReadonlySet<string>;
  values: ReadonlySet<string>;
}

const described = new WeakMap<object, TextDescription>();

function compare(query: Query, asked: TextDescription, request: StoredRequest): Comparison<StoredRequest> {
  return compareText(asked, request, cosine(query.vector, request.vector));
}

function compareText<Request extends Omit<StoredRequest, "vector">>(
  asked: TextDescription,
  request: Request,
  meaning: number,
): Comparison<Request> {
  let known = described.get(request);
  if (known === undefined) described.set(request, (known = describeText(request.text)));
  const words = overlap(asked.words, known.words);
  const values = overlap(asked.values, known.values);
  const length = Math.abs(Math.log((asked.words.size + 1) / (known.words.size + 1)));
  const blend = BLEND.meaning * meaning + BLEND.words * words + BLEND.values * values;
  return { request, meaning, words, values, length, blend };
}

/** Numbers, quoted texts, file names and addresses: what two requests have to share to be the same one. */
function describeText(text: string): TextDescription {
  const values = text.match(/'[^']{1,200}'|"[^"]{1,200}"|\S+\.\w{2,5}\b|\d[\d.,:]*/g) ?? [];
  const plain = values.map((value) => value.toLowerCase().replace(/^['"]|['".,;:?!]+$/g, ""));
  return { words: new Set(listContentWords(text)), values: new Set(plain) };
}

/** Dice's coefficient; two texts without any agree. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 1;
  let shared = 0;
  for (const each of a) if (b.has(each)) shared++;
  return (2 * shared) / (a.size + b.size);
}

/** How much the tools of the nearest are those of its rivals: a rival with the same tools is a smaller mistake. */
function agreement(ranked: readonly Comparison[]): number {
  const [first, ...rest] = ranked.map(({ request }) => new Set(request.toolIds));
  if (first === undefined || rest.length === 0) return 0;
  return rest.reduce((sum, tools) => sum + overlap(first, tools), 0) / rest.length;
}
