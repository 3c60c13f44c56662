import type { PastOrder } from "./past-order.js";

/** A step to be taken, and what is known when it is. Numbers a candidate stand in the order of their rows. */
export interface NextQuestion {
  /** Rows of what was done so far, in order; at least one. */
  readonly done: readonly number[];
  /** The chance of each to follow, from runs alone. */
  readonly followed: Float64Array;
  /** The chance of each to be taken by the request at all. */
  readonly planned: Float64Array;
  /** The ranking without anything learned, on one scale. */
  readonly cold: Float64Array;
  /** For each clause of the request, how much it speaks of each. */
  readonly mentions: readonly Float64Array[];
  /** Runs that served like requests, each with its share of one vote. */
  readonly near: readonly { readonly rows: readonly number[]; readonly likeness: number }[];
  readonly order: PastOrder;
}

const UNSEEN = 0.003;
/** Plans and past order are only looked at for what may well come. */
const LEAST_PLANNED = 0.02;
const SHARPNESS = 0.05;

/** One column a feature, one number in it a candidate. */
export function describeNext(question: NextQuestion): Float64Array[] {
  const place = placeMentions(question);
  const open = listOpen(question);
  return [...describePast(question, open), ...describeRequest(question, place, open), ...describeDone(question)];
}

/** How many columns `describeNext` gives, and what each counts before anything was learned. */
export const NEXT_PRIOR: readonly number[] = [
  0.4, 0.2, 0.05, 0.3, 0.1, 0.05, 0.4, 0.2, 0.2, 0, 0.2, 0.5, 0.5, 0.3, 0, 0, -0.3, -1, 0,
];

interface Open {
  readonly row: number;
  readonly chance: number;
}

/** What the request still takes, as far as is known. */
function listOpen({ planned, done }: NextQuestion): Open[] {
  return [...planned].flatMap((chance, row) =>
    chance >= LEAST_PLANNED && !done.includes(row) ? [{ row, chance }] : [],
  );
}

function describePast({ followed, planned, near, done, order }: NextQuestion, open: readonly Open[]): Float64Array[] {
  const last = done.at(-1) as number;
  const votes = vote(near, done, planned.length);
  const column = (value: (row: number) => number): Float64Array => planned.map((_, row) => value(row));
  return [
    followed.map((chance) => Math.log(chance + UNSEEN)),
    planned.map((chance) => Math.log((chance + UNSEEN) / (1 + UNSEEN - chance))),
    ...[votes.next, votes.later, votes.first].map((each) => each.map((share) => Math.log(share + UNSEEN))),
    column((row) => open.reduce((sum, other) => sum + other.chance * Math.log(order.precede(row, other.row)), 0)),
    column((row) => Math.log(order.precede(last, row))),
    column((row) => done.reduce((sum, each) => sum + Math.log(order.precede(each, row)), 0) / done.length),
    column((row) => Math.log(Math.max(...done.map((each) => order.feed(each, row))))),
    column((row) => open.reduce((sum, other) => sum + other.chance * order.feed(other.row, row), 0)),
  ];
}

/** What like runs did right after the last step, later on, and first of all that is not done yet. */
function vote(
  near: NextQuestion["near"],
  done: readonly number[],
  size: number,
): Record<"next" | "later" | "first", Float64Array> {
  const votes = { next: new Float64Array(size), later: new Float64Array(size), first: new Float64Array(size) };
  for (const { rows, likeness } of near) {
    const at = rows.lastIndexOf(done.at(-1) as number);
    const left = rows.filter((row) => !done.includes(row));
    if (at >= 0) raise(votes.next, rows[at + 1], likeness);
    raise(votes.first, left[0], likeness);
    for (const row of new Set(left)) raise(votes.later, row, likeness);
  }
  return votes;
}

function raise(column: Float64Array, row: number | undefined, by: number): void {
  if (row !== undefined) column[row] = (column[row] ?? 0) + by;
}

/** Where in the request each is spoken of, from 0: between two clauses that speak of it alike. */
function placeMentions({ mentions, planned }: NextQuestion): Float64Array {
  return planned.map((_, row) => {
    const scores = mentions.map((clause) => clause[row] ?? 0);
    const top = Math.max(...scores);
    const shares = scores.map((score) => Math.exp((score - top) / SHARPNESS));
    const total = shares.reduce((sum, share) => sum + share, 0);
    return total === 0 ? 0 : shares.reduce((sum, share, at) => sum + share * at, 0) / total;
  });
}

function describeRequest(
  { mentions, cold, done }: NextQuestion,
  place: Float64Array,
  open: readonly Open[],
): Float64Array[] {
  const here = place[done.at(-1) as number] ?? 0;
  const at = Math.round(here);
  const left = mentions.slice(at + 1);
  const rest = left.length > 0 ? left : mentions.slice(-1);
  const column = (value: (row: number) => number): Float64Array => cold.map((_, row) => value(row));
  return [
    column((row) => Math.tanh((place[row] ?? 0) - here)),
    cold,
    column((row) => Math.max(0, ...rest.map((clause) => clause[row] ?? 0))),
    column((row) => rest[0]?.[row] ?? 0),
    column((row) => mentions[at]?.[row] ?? 0),
    column((row) => mentions.reduce((sum, clause) => sum + (clause[row] ?? 0), 0) / Math.max(1, mentions.length)),
    column((row) =>
      open.reduce(
        (sum, other) => sum + other.chance * Math.min(1, Math.max(0, (place[row] ?? 0) - (place[other.row] ?? 0))),
        0,
      ),
    ),
  ];
}

function describeDone({ done, cold }: NextQuestion): Float64Array[] {
  return [cold.map((_, row) => (done.includes(row) ? 1 : 0)), cold.map((_, row) => (row === done.at(-1) ? 1 : 0))];
}
