import { OUTCOME, readOutcome, SPECULATION } from "../../learn/outcomes.js";
import type { MeasuredRun } from "../../store/measured-runs.js";
import type { Scored } from "./calibration.js";
import type { Evaluation } from "./evaluation.js";
import { shareOf, shareWhere } from "./share.js";

/** The memory chose something that was there. A plan from the graph is not: it came with work of its own. */
export function ranByItself({ mode, work }: MeasuredRun): boolean {
  return mode === "speculation" && work === undefined;
}

export function measureReuse(runs: readonly MeasuredRun[]): Evaluation["reuse"] {
  const asked = runs.filter(({ intent }) => intent !== undefined);
  return {
    byItself: shareWhere(asked, (run) => ranByItself(run) && hasServed(run)),
    byName: shareWhere(asked, (run) => run.mode === "named" && hasServed(run)),
  };
}

export function hasServed({ success, feedback }: MeasuredRun): boolean {
  return success && feedback?.ok !== false;
}

/** Runs that failed served nobody: they say nothing of whether the choice was right. */
export function measureAutomatic(runs: readonly MeasuredRun[]): Evaluation["automatic"] {
  const automatic = runs.filter(({ mode }) => mode === "speculation");
  const done = automatic.filter(({ success }) => success);
  const judged = done.flatMap((run) => judge(run) ?? []);
  return {
    runs: automatic.length,
    failed: automatic.length - done.length,
    unjudged: done.length - judged.length,
    wrong: shareOf(judged.filter((right) => !right).length, judged.length),
  };
}

/** Whether it was right: what was said of it, else what came next in its conversation. */
export function judge(run: MeasuredRun): boolean | undefined {
  return run.feedback?.ok ?? findOutcome(run)?.right;
}

/** Of what ran by itself, and of what was only offered and then done. */
export function listOutcomes(runs: readonly MeasuredRun[]): Scored[] {
  return runs.flatMap((run) => findOutcome(run) ?? []);
}

function findOutcome({ learned }: MeasuredRun): Scored | undefined {
  const said = learned.filter(({ kind }) => kind === OUTCOME).map(readOutcome);
  const outcome = said.find(({ of }) => of[0] === SPECULATION[0]);
  return outcome && { score: outcome.score, right: !outcome.wrong };
}
