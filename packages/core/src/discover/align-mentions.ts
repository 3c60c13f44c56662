const SHARPNESS = 0.05;
const ROUNDS = 10;

/**
 * Where in a request each of these candidates is spoken of, from 0. A clause speaks of few things: candidates share the
 * clauses out among themselves (Sinkhorn & Knopp, 1967), so that a weak mention gives way to a strong one.
 */
export function alignMentions(mentions: readonly Float64Array[], rows: readonly number[]): Map<number, number> {
  const top = Math.max(...mentions.flatMap((clause) => rows.map((row) => clause[row] ?? 0)));
  const shares = mentions.map((clause) => rows.map((row) => Math.exp(((clause[row] ?? 0) - top) / SHARPNESS) + 1e-12));
  for (let round = 0; round < ROUNDS; round++) {
    normaliseColumns(shares);
    for (const clause of shares) {
      const total = Math.max(1, sum(clause));
      for (const [at, share] of clause.entries()) clause[at] = share / total;
    }
  }
  normaliseColumns(shares);
  return new Map(rows.map((row, at) => [row, sum(shares.map((clause, place) => place * (clause[at] ?? 0)))]));
}

function normaliseColumns(shares: readonly number[][]): void {
  const totals = (shares[0] ?? []).map((_, at) => sum(shares.map((clause) => clause[at] ?? 0)) || 1);
  for (const clause of shares) for (const [at, share] of clause.entries()) clause[at] = share / (totals[at] ?? 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
