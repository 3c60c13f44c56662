import type { ExecuteAnswer } from "./answer.js";
import type { Job, Powers } from "./job.js";
import type { Attributes, OpenSpan } from "./telemetry.js";
import type { AroundCall } from "./tool-door.js";

/** A run in a span; what it does below it is in spans below that. */
export function traceRun(
  powers: Powers,
  job: Job,
  run: (powers: Powers) => Promise<ExecuteAnswer>,
): Promise<ExecuteAnswer> {
  return powers.telemetry.within("pml.run", describeJob(job), async (span) => {
    span.show("pml.intent", job.intent);
    const answer = await run({ ...powers, telemetry: span.telemetry });
    describeAnswer(powers, span, answer);
    return answer;
  });
}

/** Each call of a tool in a span. What the tool itself traces stands below it. */
export function traceCalls({ telemetry, redactCall }: Powers): AroundCall {
  return (tool, args, call) =>
    telemetry.within("pml.tool", { "pml.tool": tool }, async (span) => {
      span.show("pml.arguments", redactCall(tool, "input", args));
      const result = await call();
      span.show("pml.result", redactCall(tool, "output", result));
      return result;
    });
}

function describeJob({ mode, workflowId, capability, match, resumed }: Job): Attributes {
  return {
    "pml.mode": mode,
    "pml.workflow_id": workflowId,
    ...(capability !== undefined && { "pml.capability_id": capability.id }),
    ...(match !== undefined && { "pml.match": match }),
    ...(resumed && { "pml.resumed": true }),
  };
}

function describeAnswer({ redact }: Powers, span: OpenSpan, answer: ExecuteAnswer): void {
  span.set({ "pml.status": answer.status });
  if (answer.status === "success" || answer.status === "error") span.set({ "pml.trace_id": answer.traceId });
  if (answer.status === "success" && answer.cacheHit !== undefined) span.set({ "pml.cache_hit": answer.cacheHit });
  if (answer.status === "success") span.show("pml.result", redact(answer.result));
  if (answer.status !== "error") return;
  span.fail(answer.error.code);
  span.show("pml.error", answer.error.message);
}
