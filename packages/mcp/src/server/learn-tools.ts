import type { CreateCapability } from "@pml/core";

import { CURATE_INPUT, CURATE_OUTPUT, curate } from "./pml-tools.js";
import { answerOf, choice, flag, objectOf, type StdTool, text, WRITES } from "./std-tool.js";

const save: StdTool = {
  id: "learn:save",
  title: "Save a capability",
  description: "Remembers code without running it, to be found and run later.",
  input: objectOf(
    {
      intent: text("What it is for, in a sentence."),
      code: text("As for pml_execute."),
      name: text("namespace:action_target"),
      description: text("What it does."),
    },
    ["intent", "code"],
  ),
  output: answerOf(
    {
      capability_id: text("Of what was saved, or of what was there with the same code."),
      capability_name: text("Call it by this."),
      capability_status: choice(["active", "degraded", "draft"], "active: it is found and run."),
    },
    ["capability_id", "capability_status"],
  ),
  hints: WRITES,
  async run({ pml, scope, args }) {
    const given = args as unknown as CreateCapability;
    const { id, name, status } = await pml.capabilities.create({ ...given, ...(scope && { scope }) });
    return { capabilityId: id, capabilityName: name, capabilityStatus: status };
  },
};

const curation: StdTool = {
  id: "learn:curate",
  title: "Name what has no name",
  description: "The same as pml_curate_capabilities.",
  input: CURATE_INPUT,
  output: CURATE_OUTPUT,
  hints: WRITES,
  run: curate,
};

const feedback: StdTool = {
  id: "learn:feedback",
  title: "Say how a run went",
  description: "Tells the memory whether the result of a run was what the user wanted. Call it when it was not.",
  input: objectOf(
    {
      trace_id: text("Of the answer."),
      ok: flag("Whether it was right."),
      correction: text("What should have happened."),
    },
    ["trace_id", "ok"],
  ),
  output: answerOf({
    counted: flag("False when something had been said of this run before."),
    automatic: flag("It had run by itself, so the threshold for that has learned from it."),
    threshold: { type: "number", description: "From where on things run by themselves now." },
  }),
  hints: WRITES,
  run: ({ pml, scope, args }) =>
    pml.feedback({ ...(args as unknown as Parameters<typeof pml.feedback>[0]), ...(scope && { scope }) }),
};

export const LEARN_TOOLS: readonly StdTool[] = [save, curation, feedback];
