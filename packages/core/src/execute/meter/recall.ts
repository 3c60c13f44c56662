import type { ToolAnswer } from "./ask-tools.js";
import type { Answered } from "./ask.js";
import type { Scored } from "./calibration.js";
import type { Evaluation } from "./evaluation.js";
import { meanOf, shareWhere } from "./share.js";

export async function measureRecall(
  answers: readonly Answered[],
  tools: readonly ToolAnswer[],
): Promise<Evaluation["recall"]> {
  const known = answers.filter(({ isKnown }) => isKnown);
  const unknown = answers.filter(({ isKnown }) => !isKnown);
  return {
    known: {
      chosen: shareWhere(known, ({ isRight }) => isRight),
      amongFive: shareWhere(known, ({ amongFive }) => amongFive),
      run: shareWhere(known, ({ isRight, wouldRun }) => isRight && wouldRun),
      wrong: shareWhere(known, ({ isRight, wouldRun }) => !isRight && wouldRun),
    },
    unknown: { wrong: shareWhere(unknown, ({ wouldRun }) => wouldRun) },
    tools: {
      first: shareWhere(tools, ({ first }) => first),
      amongFive: await meanOf(tools.map(({ share }) => share)),
    },
  };
}

/** Where nothing would be chosen, nothing was said of how sure that is. */
export function listScored(answers: readonly Answered[]): Scored[] {
  return answers.flatMap(({ score, isRight }) => (score === undefined ? [] : [{ score, right: isRight }]));
}
