import type { PastOrder } from "./past-order.js";

/** An input that data has to come to: from one of the sources, or from the request itself. */
export interface FlowQuestion {
  readonly to: number;
  readonly sources: readonly number[];
  /** Inputs of the same tool. */
  readonly inputs: number;
  /** Whether the tool gives what this input takes; and the same of each source. */
  readonly isTransformer: boolean;
  readonly transformers: ReadonlySet<number>;
  /** Sources that could as well be fed by the tool. */
  readonly turnable: ReadonlySet<number>;
  /** Sources that could feed one another, as `from:to`. */
  readonly fits: ReadonlySet<string>;
  /** Where the request speaks of each. */
  readonly places: ReadonlyMap<number, number>;
  /** Values that the request itself brings. */
  readonly values: number;
  readonly order: PastOrder;
}

const COLUMNS = 20;

/** What each feature counts before anything was learned: data flows in the order of the request. */
export const FLOW_PRIOR: readonly number[] = Array.from(
  { length: COLUMNS },
  (_, at) => ({ 5: 0.5, 6: 1, 9: 0.3, 10: 0.2 })[at] ?? 0,
);

/** First the features of no source at all, then of each source. */
export function describeFlow(question: FlowQuestion): Float64Array[] {
  return [describeNone(question), ...question.sources.map((from) => describeSource(question, from))];
}

function describeNone({ to, sources, inputs, places, values, order }: FlowQuestion): Float64Array {
  const here = places.get(to) ?? 0;
  const supplied = order.isSupplied(to);
  const row = new Float64Array(COLUMNS);
  row.set([
    1,
    Math.log((1 - supplied) / supplied),
    Math.min(3, values),
    inputs > 1 ? 1 : 0,
    sources.some((from) => (places.get(from) ?? 0) < here) ? 0 : 1,
  ]);
  row[17] = here <= Math.min(...places.values()) ? 1 : 0;
  return row;
}

function describeSource(question: FlowQuestion, from: number): Float64Array {
  const { to, sources, isTransformer, transformers, turnable, fits, places, order } = question;
  const [here, there] = [places.get(to) ?? 0, places.get(from) ?? 0];
  const apart = here - there;
  const between = sources.filter((each) => there < (places.get(each) ?? 0) && (places.get(each) ?? 0) < here);
  const direction = Math.tanh(2 * apart);
  const turns = turnable.has(from) ? 1 : 0;
  const row = new Float64Array(COLUMNS);
  row.set(
    [
      apart > 0 ? 1 : 0,
      direction,
      between.length,
      Math.sign(apart) * Math.min(4, Math.abs(apart)),
      Math.log(order.precede(from, to) / order.precede(to, from)),
      Math.log(order.feed(from, to)),
      Math.log(order.feed(to, from)),
      transformers.has(from) ? 1 : 0,
      isTransformer ? 1 : 0,
      order.isSource(from),
      1 / sources.length,
      turns,
    ],
    5,
  );
  row[18] = turns * direction;
  row[19] = between.filter((each) => fits.has(`${from}:${each}`)).length;
  return row;
}
