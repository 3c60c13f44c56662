import type { Embedder } from "../embedder.js";

export type CreateEmbedder = () => Embedder;

/** One promise an embedder makes. */
export interface ContractCase {
  name: string;
  /** Throws when the embedder breaks it. Makes an embedder of its own, and closes it. */
  verify(createEmbedder: CreateEmbedder): Promise<void>;
}

const TEXTS = ["read a file", "send an email to Ana", "read a file", "¿Qué hora es?"];
const HOSTILE = ["", " ", "\0", "\uD800", "a".repeat(100_000), "'; drop table tools; --"];

const CASES: Record<string, (embedder: Embedder) => Promise<void>> = {
  "has an id and a number of dimensions": async ({ id, dimensions }) => {
    check(id.length > 0 && Number.isSafeInteger(dimensions) && dimensions > 0, `id ${id}, dimensions ${dimensions}`);
  },
  "gives one vector a text, in order, as long as it says": async (embedder) => {
    const vectors = await embedder.embed(TEXTS);
    check(vectors.length === TEXTS.length, `${vectors.length} vectors for ${TEXTS.length} texts`);
    check(
      vectors.every((vector) => vector.length === embedder.dimensions),
      "a vector of another length",
    );
    const alone = await embedder.embed([TEXTS[1] as string]);
    check(cosine(alone[0], vectors[1]) > 0.999, "a text alone has another vector than among others");
  },
  "gives vectors of length 1": async (embedder) => {
    for (const vector of await embedder.embed([...TEXTS, ...HOSTILE])) {
      check(Math.abs(Math.hypot(...vector) - 1) < 1e-3, `a vector of length ${Math.hypot(...vector)}`);
    }
  },
  "gives the same vector for the same text": async (embedder) => {
    const [first, , third] = await embedder.embed(TEXTS);
    const [again] = await embedder.embed(TEXTS);
    check(cosine(first, third) > 0.99999 && cosine(first, again) > 0.99999, "two vectors for one text");
  },
  "gives vectors that are the caller's own": async (embedder) => {
    const [vector] = await embedder.embed(["read a file"]);
    vector?.fill(0);
    const [again] = await embedder.embed(["read a file"]);
    check(Math.hypot(...(again ?? [])) > 0.5, "changing a vector changed the next one");
  },
  "has nothing to do for no texts": async (embedder) => {
    check((await embedder.embed([])).length === 0, "vectors for no texts");
  },
  "refuses what is not a string": async (embedder) => {
    const refused = await embedder.embed([42 as unknown as string]).then(
      () => false,
      () => true,
    );
    check(refused, "embedded a number");
  },
  "answers calls that overlap": async (embedder) => {
    const [[a], [b]] = await Promise.all([embedder.embed(["read a file"]), embedder.embed(["book a flight"])]);
    check(cosine(a, b) < 0.99, "two calls at once got one answer");
  },
};

/**
 * What every embedder has to do, for a test framework of your choice:
 * `for (const { name, verify } of embedderContract) it(name, () => verify(createMyEmbedder));`
 */
export const embedderContract: readonly ContractCase[] = Object.entries(CASES).map(([name, hold]) => ({
  name,
  async verify(createEmbedder) {
    const embedder = createEmbedder();
    try {
      await hold(embedder);
    } finally {
      await embedder.close?.();
    }
  },
}));

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`The embedder gave ${otherwise}.`);
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of (a ?? []).entries()) sum += value * (b?.[index] ?? 0);
  return sum;
}
