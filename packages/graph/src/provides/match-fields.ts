import type { Field } from "./schema-fields.js";
import { GENERIC } from "./synonyms.js";

export interface FieldMatch {
  readonly score: number;
  readonly typeCompatible: boolean;
  readonly reason: string;
}

/** What fields can be of each other, from surest to least. Below `LEAST_MATCH` it is not a match. */
const SCORES = { same: 1, idOf: 0.9, part: 0.75, handed: 0.55, entity: 0.6, head: 0.45 } as const;
const LEAST_MATCH = 0.4;
const OTHER_TYPE = 0.5;
/** What was only handed through says that the two tools are about the same, hardly that one feeds the other. */
const ECHOED = 0.45;

/** Whether what stands in one field can fill another: by name, by what it is an id of, by role, and by type. */
export function matchFields(from: Field, to: Field): FieldMatch | undefined {
  const named = matchNames(from, to);
  if (named === undefined) return undefined;
  const typeCompatible = areCompatible(from.type, to.type);
  const score = named.score * (typeCompatible ? 1 : OTHER_TYPE) * (from.echoed ? ECHOED : 1);
  return score < LEAST_MATCH ? undefined : { score, typeCompatible, reason: describe(named.reason, from, to) };
}

interface Named {
  readonly score: number;
  readonly reason: string;
}

function matchNames(from: Field, to: Field): Named | undefined {
  const [mine, theirs] = [new Set(from.words), new Set(to.words)];
  const shared = to.words.filter((word) => mine.has(word));
  if (shared.length === theirs.size && shared.length === mine.size) return matchSame(from, to);
  if (theirs.has("id")) return matchId(from, to);
  if (shared.every((word) => WEAK.has(word))) return matchRoles(from, to);
  if (shared.length === theirs.size) return { score: SCORES.part, reason: "is a kind of" };
  const head = to.words.at(-1);
  return head !== undefined && from.words.at(-1) === head
    ? { score: SCORES.head, reason: "ends in the same word as" }
    : undefined;
}

/** Words that many unrelated fields share. */
const WEAK = new Set(["id", "name", "number", "date", "time", "type", "data", "content", "info", "status"]);

function matchSame(from: Field, to: Field): Named | undefined {
  const lone = to.words.length === 1 && WEAK.has(to.words[0] ?? "");
  if (!lone || to.words.every((word) => GENERIC.has(word))) return { score: SCORES.same, reason: "names the same as" };
  // `id` and `id`, `name` and `name`: of the same thing only if the two tools speak of the same thing.
  const common = [...to.around].some((word) => from.around.has(word));
  return common ? { score: SCORES.part, reason: "is, of the same thing, what fills" } : undefined;
}

/** `id` of a movie, and the movie itself, give `movie_id`. */
function matchId(from: Field, to: Field): Named | undefined {
  const entity = to.words.filter((word) => word !== "id");
  if (entity.length === 0) return undefined;
  const isId = from.words.includes("id");
  const own = from.words.filter((word) => word !== "id");
  const known = entity.every((word) => own.includes(word) || (isId && from.around.has(word)));
  if (isId && own.length === 0 && known) return { score: SCORES.idOf, reason: "is the id that is asked for by" };
  if (known && !isId) return { score: SCORES.entity, reason: "is the thing whose id is asked for by" };
  return known ? { score: SCORES.head, reason: "is an id of the same thing as" } : undefined;
}

/** `content` and `json`, `value` and `body`: both only say that something is handed on. */
function matchRoles(from: Field, to: Field): Named | undefined {
  const handsOn = from.words.some((word) => GENERIC.has(word)) && to.words.every((word) => GENERIC.has(word));
  return handsOn ? { score: SCORES.handed, reason: "holds the data that is wanted by" } : undefined;
}

function areCompatible(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || from === to) return true;
  // Ids travel as text as often as they do as numbers, and one item of a list can be taken.
  return from === "array" || (from === "number" && to === "string") || (from === "string" && to === "number");
}

function describe(reason: string, from: Field, to: Field): string {
  return `${from.path} ${reason} ${to.path}`;
}
