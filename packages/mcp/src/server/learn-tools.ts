import type { Pml } from "@pml/core";

import { CURATE_INPUT, CURATE_OUTPUT, curate } from "./pml-tools.js";
import { answerOf, flag, objectOf, type StdTool, text, texts, WRITES } from "./std-tool.js";

/** Parts of a memory that a host's may not have. */
interface Teachable {
  capabilities?: { create?: (given: object) => Promise<object> };
  feedback?: (given: object) => Promise<unknown>;
}

const save: StdTool = {
  id: "learn:save",
  title: "Save a capability",
  description: "Remembers code without running it. It is suggested once it has worked.",
  input: objectOf(
    {
      intent: text("What it is for, in a sentence."),
      code: text("As for pml_execute."),
      name: text("namespace:action_target"),
      description: text("What it does."),
      tags: texts("To find it by."),
    },
    ["intent", "code"],
  ),
  output: answerOf({}),
  hints: WRITES,
  async run({ pml, args }) {
    return (await (pml as Teachable).capabilities?.create?.(args)) ?? {};
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
  output: answerOf({}),
  hints: WRITES,
  async run({ pml, args }) {
    return { ...((await (pml as Teachable).feedback?.(args)) as object | undefined) };
  },
};

/** Those that this memory can do. */
export function listLearnTools(pml: Pml): StdTool[] {
  const { capabilities, feedback: takesFeedback } = pml as Teachable;
  return [
    ...(capabilities?.create === undefined ? [] : [save]),
    curation,
    ...(takesFeedback === undefined ? [] : [feedback]),
  ];
}
