import { anyObject, answerOf, choice, type JsonSchema, listOf, text, texts } from "./std-tool.js";

/** What every run answers: of `pml_execute`, of an approval, and of a capability called as a tool. */
export const EXECUTE_ANSWER: JsonSchema = answerOf(
  {
    status: choice(
      ["success", "error", "approval_required", "suggestions"],
      "suggestions: nothing ran, see suggestions. approval_required: ask the user, then call pml_answer_approval.",
    ),
    result: {
      // One type at a time: not every client reads a list of them.
      anyOf: ["object", "array", "string", "number", "boolean", "null"].map((type) => ({ type })),
      description: "What the run returned.",
    },
    error: anyObject("Why it failed: code, message, details."),
    approval: anyObject("What would be called, and the id to answer to."),
    suggestions: anyObject("Tools, capabilities and perhaps a plan (dag) for the intent."),
    capability_id: text("The capability that ran, or was learned."),
    capability_name: text("Its name: next time, call it by this."),
    workflow_id: text("For pml_get_task_result."),
    trace_id: text("For learn__feedback."),
    warnings: texts("What did not stop it: a name that has changed, say."),
    layer_results: listOf("Of a DAG: its tasks, layer by layer, with a preview of each result."),
  },
  ["status"],
);
