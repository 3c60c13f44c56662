import { codeOf, defaultsOf } from "../execute/analyses.js";
import { closeOver } from "../execute/closure.js";
import type { Powers } from "../execute/job.js";
import { rehearse } from "../execute/rehearse.js";
import { replayRun } from "../execute/replay.js";
import { tryVersion } from "../execute/trial/try-version.js";
import type { StoreContext } from "../store/context.js";
import type { NamesPowers, Replayable, SampleTrace, Verdict } from "./powers.js";

/** What names need of execution: replays, and dry runs. `powers` is asked for when it is needed, as it needs names. */
export function createNamesPowers(powers: () => Powers): Pick<NamesPowers, "verify" | "tryVersion" | "dryRun"> {
  return {
    verify: (capability, samples, context) =>
      judge(async () => {
        for (const sample of samples) {
          const verdict = await verifyOne(powers(), { capability, sample, context });
          if (!verdict.ok) return verdict;
        }
        return { ok: true };
      }),
    tryVersion: (versions, traces, context) => tryVersion(powers(), { context, versions, traces }),
    dryRun: (analysis, calls, context) =>
      judge(async () => {
        const place = await powers().open(context.scope);
        const closure = await closeOver(analysis, { analyses: powers().analyses(), fix: async () => calls });
        // What was chosen might never happen, so only the way that the code goes by itself counts.
        const { runs } = await rehearse(powers(), { place, analysis, closure, inputs: {} }, { maxBranches: 1 });
        const outcome = runs[0]?.outcome;
        return outcome?.ok === false ? { ok: false, reason: outcome.failure.message } : { ok: true };
      }),
  };
}

async function verifyOne(
  powers: Powers,
  { capability, sample, context }: { capability: Replayable; sample: SampleTrace; context: StoreContext },
): Promise<Verdict> {
  const whole = { parameterisedCode: undefined, parameters: undefined, ...capability };
  const analysis = powers.analyses().analyse(codeOf(whole));
  const closure = await closeOver(analysis, {
    analyses: powers.analyses(),
    fix: (called) => powers.naming.fix(context, called),
  });
  const isCode = capability.source.type === "code";
  const report = await replayRun(powers, {
    analysis,
    closure,
    recorded: sample,
    defaults: defaultsOf(whole),
    isComparable: () => isCode,
  });
  return report.same ? { ok: true } : { ok: false, reason: report.differences.map(({ message }) => message).join(" ") };
}

/** Code that cannot be read, or calls what is not there, does not pass; that is no failure of the question. */
async function judge(ask: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}
