import { distance } from "fastest-levenshtein";

const MAX_MATCHES = 3;
/** Longer names are no typing mistakes, and comparing them takes time that hostile code could waste. */
const MAX_LENGTH = 100;
/** The part of a name that may be wrong. */
const TOLERANCE = 0.34;

/** The names nearest to one that is not there, nearest first. The part after the colon may also match by itself. */
export function listNearMatches(name: string, names: Iterable<string>): string[] {
  if (name.length > MAX_LENGTH) return [];
  return [...names]
    .filter((candidate) => candidate.length <= MAX_LENGTH)
    .map((candidate) => ({ candidate, likeness: rate(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ likeness }) => likeness <= TOLERANCE)
    .sort((a, b) => a.likeness - b.likeness || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_MATCHES)
    .map(({ candidate }) => candidate);
}

/** 0 for the same, 1 for nothing in common. */
function rate(name: string, candidate: string): number {
  const whole = distance(name, candidate) / Math.max(name.length, candidate.length);
  const [action, candidateAction] = [actionOf(name), actionOf(candidate)];
  // The right action of another server is near, but never as near as the same id.
  const part = distance(action, candidateAction) / Math.max(action.length, candidateAction.length, 1) + 0.2;
  return Math.min(whole, part);
}

function actionOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
