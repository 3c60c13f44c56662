import type { Match } from "./exact-index.js";
import type { Vectors } from "./vector-store.js";
import type { VectorKind } from "./vector-table.js";

/** What is not to be found, as if it had never been learned. */
export interface Hidden {
  intent: ReadonlySet<string>;
  capability: ReadonlySet<string>;
  /** Of the hidden capabilities, how many nothing else leads to. */
  capabilitiesGone: number;
}

/** The same vectors without the hidden ones, which take nobody's place either. */
export function hideVectors(vectors: Vectors, hidden: Hidden): Vectors {
  const among = (kind: VectorKind): ReadonlySet<string> => (kind === "tool" ? new Set() : hidden[kind]);
  const gone = { intent: hidden.intent.size, capability: hidden.capabilitiesGone, tool: 0 };
  return {
    table: vectors.table,
    embedder: vectors.embedder,
    embed: (texts) => vectors.embed(texts),
    calibrate: (cosine) => vectors.calibrate(cosine),
    countRemovals: (...given) => vectors.countRemovals(...given),
    load: () => vectors.load(),
    remember: (...given) => vectors.remember(...given),
    refresh: (...given) => vectors.refresh(...given),
    async count(kind, scope) {
      return Math.max(0, (await vectors.count(kind, scope)) - gone[kind]);
    },
    async search(kind, vector, { limit, scope }): Promise<Match[]> {
      const without = among(kind);
      const found = await vectors.search(kind, vector, { limit: limit + without.size, scope });
      return found.filter(({ id }) => !without.has(id)).slice(0, limit);
    },
    async find(kind, place, ids) {
      const without = among(kind);
      return vectors.find(
        kind,
        place,
        ids.filter((id) => !without.has(id)),
      );
    },
  };
}
