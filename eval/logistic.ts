export interface LabelledFeatures {
  features: readonly number[];
  label: boolean;
}

/** Weights of a logistic model, the constant first: gradient descent with Adam from zero, lightly regularised. */
export function fitLogistic(rows: readonly LabelledFeatures[], epochs = 400): number[] {
  const size = (rows[0]?.features.length ?? 0) + 1;
  const [weights, first, second] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= epochs; step++) {
    const gradient = sumGradient(rows, weights);
    for (let index = 0; index < size; index++) {
      const slope = (gradient[index] ?? 0) / rows.length + (index === 0 ? 0 : 1e-4 * (weights[index] ?? 0));
      first[index] = 0.9 * (first[index] ?? 0) + 0.1 * slope;
      second[index] = 0.99 * (second[index] ?? 0) + 0.01 * slope ** 2;
      const scaled =
        (first[index] ?? 0) / (1 - 0.9 ** step) / (Math.sqrt((second[index] ?? 0) / (1 - 0.99 ** step)) + 1e-8);
      weights[index] = (weights[index] ?? 0) - 0.1 * scaled;
    }
  }
  return [...weights];
}

function sumGradient(rows: readonly LabelledFeatures[], weights: Float64Array): Float64Array {
  const gradient = new Float64Array(weights.length);
  for (const { features, label } of rows) {
    let odds = weights[0] ?? 0;
    for (let index = 0; index < features.length; index++) odds += (features[index] ?? 0) * (weights[index + 1] ?? 0);
    const surplus = 1 / (1 + Math.exp(-odds)) - (label ? 1 : 0);
    gradient[0] = (gradient[0] ?? 0) + surplus;
    for (let index = 0; index < features.length; index++) {
      gradient[index + 1] = (gradient[index + 1] ?? 0) + surplus * (features[index] ?? 0);
    }
  }
  return gradient;
}
