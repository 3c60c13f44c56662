import type { Fork, Merge, RecordQuery, TagChanges } from "@pml/core";

import {
  answerOf,
  choice,
  count,
  flag,
  listOf,
  objectOf,
  READS,
  type StdTool,
  text,
  texts,
  WRITES,
} from "./std-tool.js";

const NAME = text("fs:read_json, an old name, or a full one.");
const VISIBILITY = ["private", "project", "org", "public"];
const RECORD = answerOf({
  display_name: text("As agents call it."),
  namespace: text("As fs."),
  version: count("Rises with each change of the code.", 1),
});
const named = objectOf({ name: NAME }, ["name"]);

export const DNS_TOOLS: readonly StdTool[] = [
  {
    id: "dns:lookup",
    title: "Look up a name",
    description: "What a name of a capability stands for.",
    input: named,
    output: RECORD,
    hints: READS,
    run: ({ names, args }) => names.lookup(args["name"] as string),
  },
  {
    id: "dns:query",
    title: "Search names",
    description: "Records for which all that is given holds. Texts may have * and ?.",
    input: objectOf({
      name: text("As fs:*."),
      namespace: text("As fs."),
      created_by: text("As erwan@*."),
      updated_by: text("Who changed it last."),
      version_tag: text("As v1.*."),
      org: text("Of the record."),
      project: text("Of the record."),
      forked_from: text("Full name of the source."),
      tags: texts("All of them."),
      visibility: choice(VISIBILITY, "Who may find it."),
      verified: flag("Whether a replay of it has passed."),
      min_usage: count("Used so often or more."),
      min_success_rate: { type: "number", minimum: 0, maximum: 1 },
      sort_by: choice(["name", "usage", "created", "updated"], "Default name."),
      limit: count("Default 100.", 1),
      offset: count("For the next page."),
    }),
    output: answerOf({ records: listOf("Records.") }),
    hints: READS,
    run: async ({ names, args }) => ({ records: await names.query(args as RecordQuery) }),
  },
  {
    id: "dns:whois",
    title: "Everything about a name",
    description: "Who made a capability and when, its parameters, permissions, versions, old names and forks.",
    input: named,
    output: answerOf({ record: { type: "object" }, tools_used: texts("Ids."), versions: listOf("All of them.") }),
    hints: READS,
    run: ({ names, args }) => names.whois(args["name"] as string),
  },
  {
    id: "dns:history",
    title: "Versions of a name",
    description:
      "Every version of what a name stands for, the latest first, each with its difference to the one before.",
    input: named,
    output: answerOf({ versions: listOf("With source and diff.") }),
    hints: READS,
    run: async ({ names, args }) => ({ versions: await names.history(args["name"] as string) }),
  },
  {
    id: "dns:fork",
    title: "Copy a capability to change it",
    description: "Makes a capability of your own from another, with its code or with code of yours.",
    input: objectOf(
      {
        source: NAME,
        name: text("Of the copy: namespace:action_target."),
        code: text("Instead of that of the source."),
        tags: texts("For the copy."),
        visibility: choice(VISIBILITY, "Who may find it."),
      },
      ["source", "name"],
    ),
    output: RECORD,
    hints: WRITES,
    run: ({ names, args }) => names.fork(args as unknown as Fork),
  },
  {
    id: "dns:merge",
    title: "Combine capabilities",
    description:
      "Makes a pipeline: each takes what the one before gave. The code is written for you unless you give it.",
    input: objectOf(
      {
        sources: { type: "array", items: { type: "string" }, minItems: 2, description: "In the order they run." },
        name: text("Of the pipeline: namespace:action_target."),
        code: text("Instead of code that is written for you."),
        intent: text("What it is for."),
        tags: texts("For the pipeline."),
      },
      ["sources", "name"],
    ),
    output: RECORD,
    hints: WRITES,
    run: ({ names, args }) => names.merge(args as unknown as Merge),
  },
  {
    id: "dns:rename",
    title: "Rename a capability",
    description: "Gives a capability another name. The old one goes on working, with a warning.",
    input: objectOf({ name: NAME, to: text("namespace:action_target") }, ["name", "to"]),
    output: RECORD,
    hints: WRITES,
    run: ({ names, args }) => names.rename(args["name"] as string, args["to"] as string),
  },
  {
    id: "dns:tag",
    title: "Tag a capability",
    description: "Changes tags, the tag of the current version, or who may find a capability.",
    input: objectOf(
      {
        name: NAME,
        tags: texts("Instead of those it has."),
        add: texts("Besides those it has."),
        remove: texts("Of those it has."),
        version_tag: text("Of the current version, as v1.2.0."),
        visibility: choice(VISIBILITY.slice(1), "Who may find it."),
      },
      ["name"],
    ),
    output: RECORD,
    hints: { ...WRITES, idempotentHint: true },
    run: ({ names, args: { name, ...changes } }) => names.tag(name as string, changes as TagChanges),
  },
];
