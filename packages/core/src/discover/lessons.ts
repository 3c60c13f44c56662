/** Runs that a model is fitted on; more of them change little. All of them are counted. */
const MOST_LESSONS = 400;

/** The places of those that teach, spread over all. */
export function pickLessons(count: number): number[] {
  const every = Math.max(1, Math.ceil(count / MOST_LESSONS));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}
