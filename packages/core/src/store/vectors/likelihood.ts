import type { Embedder } from "@pml/embeddings";

/** What a cosine means: by the embedder's calibration, along the line between two of its knots. */
export function likelihood({ calibration }: Pick<Embedder, "calibration">, cosine: number): number {
  const knots = calibration?.knots ?? [
    [0, 0],
    [1, 1],
  ];
  const above = knots.findIndex(([at]) => at >= cosine);
  const [x1, y1] = knots[above] ?? knots.at(-1) ?? [1, 1];
  const [x0, y0] = knots[above - 1] ?? [x1, y1];
  if (above <= 0 || x1 === x0) return y1;
  return y0 + ((y1 - y0) * (cosine - x0)) / (x1 - x0);
}
