import { discover } from "../../discover/discover.js";
import { ToolCatalog } from "../../discover/tool-catalog.js";
import type { Place } from "../job.js";
import { type Answered, LOOKED_AT } from "./ask.js";
import { withoutHeldOut } from "./hold-out.js";

/** Of the tools that served an intent and are still here. */
export interface ToolAnswer {
  /** The first one found is one of them. */
  first: boolean;
  /** How many of them are among the first found. */
  share: number;
}

/** What ranks tools learns for seconds, so that a tenth of the intents is held out at once. */
const PARTS = 10;

/** Whether the tools that served are found by what the other intents taught. */
export async function askTools(place: Place, answers: readonly Answered[], signal: AbortSignal): Promise<ToolAnswer[]> {
  const found: ToolAnswer[] = [];
  for (let part = 0; part < PARTS; part++) {
    const asked = answers.filter((_, at) => at % PARTS === part);
    if (asked.length > 0) found.push(...(await askPart(place, asked, signal)));
  }
  return found;
}

async function askPart(place: Place, asked: readonly Answered[], signal: AbortSignal): Promise<ToolAnswer[]> {
  const { workspace } = place;
  const whole = await workspace.catalog();
  const context = withoutHeldOut(
    place.context,
    asked.map(({ heldOut }) => heldOut),
  );
  const catalog = await ToolCatalog.create(context, whole.list(), whole.gone);
  await catalog.rememberAll(context, signal);
  const answers: ToolAnswer[] = [];
  for (const { question } of asked) {
    signal.throwIfAborted();
    const served = listTools(question.runs.flatMap(({ calls }) => calls)).filter(
      (id) => catalog.find(id) !== undefined,
    );
    if (served.length === 0) continue;
    const request = { intent: question.newest.intent, filter: { type: "tool" as const }, limit: LOOKED_AT };
    const { results } = await discover({ context, knowledge: workspace.knowledge, catalog }, request);
    answers.push(
      judge(
        served,
        results.map(({ id }) => id),
      ),
    );
  }
  return answers;
}

function listTools(calls: readonly { tool: string }[]): string[] {
  return [...new Set(calls.map(({ tool }) => tool))];
}

function judge(served: readonly string[], found: readonly string[]): ToolAnswer {
  const share = served.filter((tool) => found.includes(tool)).length / served.length;
  return { first: served.includes(found[0] ?? ""), share };
}
