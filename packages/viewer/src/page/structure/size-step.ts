import type { StepView } from "../../structure.js";
import type { EndStep } from "./list-ends.js";
import type { Measure } from "./measure.js";

const [LEAST_WIDTH, MOST_WIDTH] = [96, 250];
const PADDING = 32;

export interface Size {
  width: number;
  height: number;
}

/** Room for what is written in it. */
export function sizeStep(step: StepView | EndStep, measure: Measure): Size {
  if (step.type === "end") return { width: 12, height: 12 };
  if (step.type === "fork" || step.type === "join") return { width: 110, height: 6 };
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, measure(titleOf(step)) + PADDING));
  const height = step.type === "decision" ? 46 : step.type === "loop" ? 30 : 38;
  return step.type === "decision" ? { width: width + 24, height } : { width, height };
}

/** What is written in a step. */
export function titleOf({ type, title, detail }: { type: string; title: string; detail?: string | undefined }): string {
  if (type === "loop") return `${LOOPS[detail ?? ""] ?? "repeat"} ${title}`;
  if (type === "decision" && detail === "catch") return "did it fail?";
  return title;
}

const LOOPS: Readonly<Record<string, string>> = {
  "for-of": "for each of",
  "for-in": "for each key of",
  "for-await": "for each of",
  callback: "for each of",
  while: "while",
  "do-while": "while",
  recursion: "again:",
};
