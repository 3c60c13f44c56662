import { leadingVectors } from "./eigenvectors.js";
import type { Hyperedge } from "./hyperedges.js";

const MOST_CLUSTERS = 12;
/** Below this eigenvalue, a direction tells capabilities apart that still share most of their tools. */
const SEPARATE_ABOVE = 0.7;
const ROUNDS = 50;

/**
 * Clusters of capabilities by the tools they share: Ng, Jordan and Weiss, "On spectral clustering" (2001), on the
 * normalised hypergraph of Zhou, Huang and Schölkopf, "Learning with hypergraphs" (2006). How many clusters there are is
 * read from the eigenvalues: each near 1 is a group that shares few tools with the rest. Gives a label for each.
 */
export function clusterCapabilities(hyperedges: readonly Hyperedge[]): number[] {
  if (hyperedges.length < 2) return hyperedges.map(() => 0);
  const columns = new Map<string, number>();
  const rows = hyperedges.map(({ tools }) =>
    tools.map((tool) => columns.get(tool) ?? (columns.set(tool, columns.size), columns.size - 1)),
  );
  const most = Math.min(MOST_CLUSTERS, hyperedges.length);
  const { values, vectors } = leadingVectors({ rows, columns: columns.size }, most);
  const count = Math.max(1, values.filter((value) => value > SEPARATE_ABOVE).length);
  const points = rows.map((_, at) => normalize(vectors.slice(0, count).map((vector) => vector[at] ?? 0)));
  return assignNearest(points, count);
}

/** Lloyd's algorithm. Centres start far from each other, so that nothing is left to chance. */
function assignNearest(points: readonly number[][], count: number): number[] {
  let centres = startCentres(points, count);
  let labels: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const next = points.map((point) => nearest(point, centres));
    if (next.every((label, at) => label === labels[at])) break;
    labels = next;
    centres = centres.map((centre, label) => meanOf(points.filter((_, at) => labels[at] === label)) ?? centre);
  }
  return labels;
}

function startCentres(points: readonly number[][], count: number): number[][] {
  const centres = [points[0] ?? []];
  const distances = points.map((point) => distance(point, centres[0] ?? []));
  while (centres.length < count) {
    const farthest = distances.reduce((best, value, at) => (value > (distances[best] ?? 0) ? at : best), 0);
    const centre = points[farthest] ?? [];
    centres.push(centre);
    points.forEach((point, at) => (distances[at] = Math.min(distances[at] ?? 0, distance(point, centre))));
  }
  return centres;
}

function nearest(point: readonly number[], centres: readonly number[][]): number {
  const distances = centres.map((centre) => distance(point, centre));
  return distances.indexOf(Math.min(...distances));
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0);
}

function meanOf(points: readonly number[][]): number[] | undefined {
  return points[0]?.map((_, at) => points.reduce((sum, point) => sum + (point[at] ?? 0), 0) / points.length);
}

function normalize(point: number[]): number[] {
  const length = Math.hypot(...point) || 1;
  return point.map((value) => value / length);
}
