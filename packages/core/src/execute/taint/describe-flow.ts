import type { TaintFlow } from "./find-flows.js";
import type { FlowStep } from "./trail.js";

/** In one line, as `web:get (line 1) → page.text → mail:send.body (line 3)`. */
export function describePath({ path }: Pick<TaintFlow, "path">): string {
  return path.map(describeStep).join(" → ");
}

/** Why somebody is asked, or why nothing is run. */
export function explainFlow(flow: TaintFlow): string {
  const { source, sink, unsure } = flow;
  const verb = unsure === undefined ? "reaches" : "may reach";
  const doubt = unsure === undefined ? "" : `; it cannot be told, as ${unsure}`;
  return `what ${source} gave ${verb} ${sink}: ${describePath(flow)}${doubt}`;
}

function describeStep({ at, line, capability }: FlowStep): string {
  if (line === undefined) return at;
  return `${at} (${capability === undefined ? "" : `${capability} `}line ${line})`;
}
