/** What is read of what was asked, which may be a whole document: a model reads no more of it either. */
export const MOST_READ = 2000;
const MOST_QUOTED = 200;

/** As much of it as a person needs. */
export function quote(asked: string): string {
  return asked.length <= MOST_QUOTED ? asked : `${asked.slice(0, MOST_QUOTED).replace(/\s*\p{Surrogate}?$/u, "")} …`;
}
