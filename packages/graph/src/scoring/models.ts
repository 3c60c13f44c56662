import { type Decision, NEIGHBOUR_FEATURES } from "./decision.js";
import { FEATURES } from "./features.js";

/** A function of parameters and a decision, and its derivative. Parameters are one array: easy to bound, keep, compare. */
export interface ScorerModel {
  /** What it starts from and is drawn back to: the unlearned ranking. */
  prior(): Float64Array;
  score(parameters: Float64Array, decision: Decision): Float64Array;
  /** Adds to `gradient` what a change of the scores by `slopes` would be in the parameters. */
  accumulate(
    parameters: Float64Array,
    decision: Decision,
    into: { slopes: Float64Array; gradient: Float64Array },
  ): void;
}

export type ModelName = "linear" | "attention";

/** One weight a feature. */
const linearModel: ScorerModel = {
  prior: () => Float64Array.from(FEATURES, (feature) => (feature === "unlearned" ? UNLEARNED_WEIGHT : 0)),
  score: (parameters, decision) => scoreLinear(parameters, decision),
  accumulate: (_, decision, { slopes, gradient }) => {
    for (let at = 0; at < decision.count; at++) {
      const slope = slopes[at]!;
      for (let feature = 0; feature < FEATURES.length; feature++) {
        gradient[feature]! += slope * decision.features[at * FEATURES.length + feature]!;
      }
    }
  },
};

/** Large enough that the unlearned order survives the pull of features that mean nothing. */
const UNLEARNED_WEIGHT = 4;
const HEADS = 4;
const LEAK = 0.2;
const HEAD_SIZE = NEIGHBOUR_FEATURES + 1;

/**
 * The linear model, and K heads of attention from the question to the hyperedges near it (Veličković et al., "Graph
 * attention networks", 2018; over hyperedges as in Ding et al., HyperGAT, 2020): each head weighs the neighbours by a
 * softmax over what is known of them, and passes on to a candidate the weight of those that offer it. No parameter
 * belongs to a node, so that new tools and capabilities are ranked from their first day.
 */
const attentionModel: ScorerModel = {
  prior() {
    const heads = Array.from({ length: HEADS }, (_, head) => [
      // Heads that start alike stay alike: each begins with an eye on one thing.
      ...Array.from({ length: NEIGHBOUR_FEATURES }, (_, feature) => (feature === head % NEIGHBOUR_FEATURES ? 4 : 0)),
      0,
    ]);
    return Float64Array.from([...linearModel.prior(), ...heads.flat()]);
  },
  score(parameters, decision) {
    const scores = scoreLinear(parameters, decision);
    for (let head = 0; head < HEADS; head++) {
      const gain = parameters[gainAt(head)]!;
      const messages = passMessages(decision, attend(parameters, decision, head));
      for (let at = 0; at < decision.count; at++) scores[at]! += gain * messages[at]!;
    }
    return scores;
  },
  accumulate(parameters, decision, into) {
    linearModel.accumulate(parameters, decision, into);
    for (let head = 0; head < HEADS; head++) accumulateHead(parameters, decision, { head, ...into });
  },
};

export const MODELS: Readonly<Record<ModelName, ScorerModel>> = { linear: linearModel, attention: attentionModel };

function scoreLinear(parameters: Float64Array, { count, features }: Decision): Float64Array {
  const scores = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    let sum = 0;
    for (let feature = 0; feature < FEATURES.length; feature++) {
      sum += parameters[feature]! * features[at * FEATURES.length + feature]!;
    }
    scores[at] = sum;
  }
  return scores;
}

function gainAt(head: number): number {
  return FEATURES.length + head * HEAD_SIZE + NEIGHBOUR_FEATURES;
}

function rawAttention(parameters: Float64Array, { neighbours }: Decision, head: number): Float64Array {
  const start = FEATURES.length + head * HEAD_SIZE;
  return Float64Array.from({ length: neighbours.length / NEIGHBOUR_FEATURES }, (_, at) => {
    let sum = 0;
    for (let feature = 0; feature < NEIGHBOUR_FEATURES; feature++) {
      sum += parameters[start + feature]! * neighbours[at * NEIGHBOUR_FEATURES + feature]!;
    }
    return sum;
  });
}

function attend(parameters: Float64Array, decision: Decision, head: number): Float64Array {
  return softmax(rawAttention(parameters, decision, head).map((value) => (value > 0 ? value : LEAK * value)));
}

function passMessages({ count, offers }: Decision, weights: Float64Array): Float64Array {
  const messages = new Float64Array(count);
  for (let at = 0; at < offers.length; at += 3) messages[offers[at + 1]!]! += weights[offers[at]!]! * offers[at + 2]!;
  return messages;
}

interface HeadGradient {
  head: number;
  slopes: Float64Array;
  gradient: Float64Array;
}

function accumulateHead(parameters: Float64Array, decision: Decision, { head, slopes, gradient }: HeadGradient): void {
  const weights = attend(parameters, decision, head);
  const raw = rawAttention(parameters, decision, head);
  const messages = passMessages(decision, weights);
  for (let at = 0; at < decision.count; at++) gradient[gainAt(head)]! += slopes[at]! * messages[at]!;
  const upstream = new Float64Array(weights.length);
  const { offers, neighbours } = decision;
  const gain = parameters[gainAt(head)]!;
  for (let at = 0; at < offers.length; at += 3)
    upstream[offers[at]!]! += gain * slopes[offers[at + 1]!]! * offers[at + 2]!;
  const mean = weights.reduce((sum, weight, at) => sum + weight * upstream[at]!, 0);
  for (let at = 0; at < weights.length; at++) {
    const slope = weights[at]! * (upstream[at]! - mean) * (raw[at]! > 0 ? 1 : LEAK);
    for (let feature = 0; feature < NEIGHBOUR_FEATURES; feature++) {
      gradient[gainAt(head) - NEIGHBOUR_FEATURES + feature]! += slope * neighbours[at * NEIGHBOUR_FEATURES + feature]!;
    }
  }
}

export function softmax(values: Float64Array): Float64Array {
  const top = values.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const powers = values.map((value) => Math.exp(value - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
