import { GraphError } from "../error.js";
import { assertIndex, type Decision, encodeQuestion, type ScoringQuestion } from "./decision.js";
import { type ModelName, MODELS, softmax } from "./models.js";
import { createRandom } from "./random.js";
import { createReplay, type ReplaySnapshot } from "./replay.js";

export interface LearnedScorer {
  /** A score for each candidate; only their order and differences mean something. */
  score(question: ScoringQuestion): Float64Array;
  /** What was chosen of the candidates and what came of it, 1 for a success; learns from it and from some earlier ones. */
  observe(question: ScoringQuestion, choice: { chosen: number; reward: number }): void;
  snapshot(): ScorerSnapshot;
}

export interface ScorerSnapshot {
  version: 1;
  model: ModelName;
  parameters: readonly number[];
  squares: readonly number[];
  randomState: number;
  steps: number;
  replay: ReplaySnapshot<Experience>;
}

export interface ScorerOptions {
  model: ModelName;
  seed: number;
  rate: number;
  /** Pulls the parameters back to the unlearned ranking at each step. */
  decay: number;
  /** No parameter goes further than this from 0. */
  bound: number;
  /** Experiences kept, and drawn for each one that is observed. */
  capacity: number;
  batch: number;
}

export const DEFAULT_SCORER_OPTIONS: ScorerOptions = {
  model: "linear",
  seed: 1,
  rate: 0.1,
  decay: 1e-4,
  bound: 20,
  capacity: 1024,
  batch: 8,
};

/** Plain JSON. */
interface Experience {
  count: number;
  features: readonly number[];
  neighbours: readonly number[];
  offers: readonly number[];
  chosen: number;
  reward: number;
}

/** Importance weights correct the more, the closer learning is to settling (Schaul et al., 2016, §3.4). */
const FIRST_BETA = 0.4;
const BETA_STEPS = 2000;

export function createLearnedScorer(given: Partial<ScorerOptions> & { snapshot?: ScorerSnapshot } = {}): LearnedScorer {
  const options = { ...DEFAULT_SCORER_OPTIONS, ...given };
  const model = MODELS[options.model];
  const { snapshot } = given;
  if (snapshot !== undefined) assertSnapshot(snapshot, options);
  const prior = model.prior();
  const parameters = Float64Array.from(snapshot?.parameters ?? prior);
  const squares = Float64Array.from(snapshot?.squares ?? new Float64Array(prior.length));
  const random = createRandom(snapshot?.randomState ?? options.seed);
  const replay = createReplay<Experience>(options.capacity, snapshot?.replay);
  let steps = snapshot?.steps ?? 0;

  /** Adagrad (Duchi, Hazan & Singer, 2011): rare features learn as fast as common ones. */
  const step = (gradient: Float64Array): void => {
    for (let at = 0; at < parameters.length; at++) {
      const slope = gradient[at]! / options.batch + options.decay * (parameters[at]! - prior[at]!);
      if (!Number.isFinite(slope)) continue;
      squares[at]! += slope * slope;
      const moved = parameters[at]! - (options.rate * slope) / Math.sqrt(squares[at]! + 1e-8);
      parameters[at] = Math.min(options.bound, Math.max(-options.bound, moved));
    }
  };

  return {
    score: (question) => model.score(parameters, encodeQuestion(question)),
    observe(question, choice) {
      const decision = encodeQuestion(question);
      replay.observe(toExperience(decision, choice));
      const beta = Math.min(1, FIRST_BETA + ((1 - FIRST_BETA) * steps) / BETA_STEPS);
      const gradient = new Float64Array(parameters.length);
      for (let drawn = 0; drawn < options.batch; drawn++) {
        const { index, item, weight } = replay.draw(random, beta);
        const { slopes, surprise } = measureLoss(model.score(parameters, toDecision(item)), item);
        model.accumulate(parameters, toDecision(item), { slopes: slopes.map((each) => each * weight), gradient });
        replay.putSurprise(index, surprise);
      }
      step(gradient);
      steps++;
    },
    snapshot: () => ({
      version: 1,
      model: options.model,
      parameters: [...parameters],
      squares: [...squares],
      randomState: random.state,
      steps,
      replay: replay.snapshot(),
    }),
  };
}

/**
 * Cross entropy over the candidates. A choice that was rewarded is to become likelier, one that was not, unlikelier;
 * in between, both in proportion. The slope is that of the loss in each score.
 */
function measureLoss(
  scores: Float64Array,
  { chosen, reward }: { chosen: number; reward: number },
): { slopes: Float64Array; surprise: number } {
  const chances = softmax(scores);
  const chance = chances[chosen]!;
  const slopes = chances.map((each, at) => {
    const towards = each - (at === chosen ? 1 : 0);
    const away = at === chosen ? each : (-chance * each) / Math.max(1e-6, 1 - chance);
    return reward * towards + (1 - reward) * away;
  });
  return { slopes, surprise: Math.abs(reward - chance) };
}

function toExperience(
  { count, features, neighbours, offers }: Decision,
  choice: { chosen: number; reward: number },
): Experience {
  const chosen = assertIndex(choice.chosen, count);
  if (!(choice.reward >= 0 && choice.reward <= 1)) {
    throw new GraphError("GRAPH_INVALID_INPUT", "A reward has to lie in [0, 1].");
  }
  return {
    count,
    features: [...features],
    neighbours: [...neighbours],
    offers: [...offers],
    chosen,
    reward: choice.reward,
  };
}

function toDecision({ count, features, neighbours, offers }: Experience): Decision {
  return {
    count,
    features: Float64Array.from(features),
    neighbours: Float64Array.from(neighbours),
    offers: Float64Array.from(offers),
  };
}

function assertSnapshot(snapshot: ScorerSnapshot, { model, capacity, bound }: ScorerOptions): void {
  const length = MODELS[model].prior().length;
  const bounded = (values: unknown): boolean =>
    Array.isArray(values) && values.length === length && values.every((value) => Number.isFinite(value));
  const usable =
    snapshot?.version === 1 &&
    snapshot.model === model &&
    bounded(snapshot.parameters) &&
    snapshot.parameters.every((value) => Math.abs(value) <= bound) &&
    bounded(snapshot.squares) &&
    Number.isInteger(snapshot.randomState) &&
    Array.isArray(snapshot.replay?.items) &&
    snapshot.replay.items.length <= capacity;
  if (usable) return;
  throw new GraphError(
    "GRAPH_INVALID_SNAPSHOT",
    "The snapshot is not of this scorer, its version or its size. Start without it; it learns anew.",
    { details: { model } },
  );
}
