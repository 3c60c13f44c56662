import type { Task } from "./data.js";

/** The nearest learned tasks to an intent, the nearest first. A dense ranking can take its place. */
export type Likeness = (intent: string) => { task: Task; likeness: number }[];

const NEAREST = 30;

/** Cosine of TF-IDF, by words. */
export function createLikeness(learned: readonly Task[]): Likeness {
  const frequency = new Map<string, number>();
  for (const { intent } of learned)
    for (const word of new Set(wordsOf(intent))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weigh = (word: string): number => Math.log(1 + learned.length / (1 + (frequency.get(word) ?? 0)));
  const postings = new Map<string, { at: number; weight: number }[]>();
  learned.forEach(({ intent }, at) => {
    for (const [word, weight] of vectorOf(intent, weigh))
      postings.set(word, [...(postings.get(word) ?? []), { at, weight }]);
  });
  return (intent) => {
    const scores = new Map<number, number>();
    for (const [word, mine] of vectorOf(intent, weigh)) {
      for (const { at, weight } of postings.get(word) ?? []) scores.set(at, (scores.get(at) ?? 0) + mine * weight);
    }
    const nearest = [...scores].sort((a, b) => b[1] - a[1]).slice(0, NEAREST);
    return nearest.map(([at, likeness]) => ({ task: learned[at] as Task, likeness: likeness ** 3 }));
  };
}

function vectorOf(text: string, weigh: (word: string) => number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weigh(word));
  const length = Math.hypot(...weights.values()) || 1;
  return new Map([...weights].map(([word, weight]) => [word, weight / length]));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

/** How like an intent is to what each tool says of itself, in [0, 1]. */
export function createToolLikeness(
  tools: readonly { id: string; description?: string }[],
): (intent: string) => Map<string, number> {
  const texts = tools.map(({ id, description = "" }) => ({
    id,
    intent: `${id.replaceAll(/[_.]/g, " ")} ${description}`,
    tools: [id],
    edges: null,
  }));
  const likeness = createLikeness(texts);
  return (intent) => new Map(likeness(intent).map(({ task, likeness }) => [task.id, Math.cbrt(likeness)]));
}
