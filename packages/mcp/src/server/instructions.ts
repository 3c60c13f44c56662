/** What a client tells its model about this server. */
export const INSTRUCTIONS: string = [
  "This server remembers how things were done. Two calls are enough:",
  "1. pml_discover({ intent }) says which tools and learned capabilities there are for what the user wants.",
  "2. pml_execute({ intent, … }) does it:",
  "   - { capability, args } runs a capability by its name. Prefer this whenever discover finds one that fits.",
  "   - { intent, context } runs what served the same intent before, with other inputs.",
  "   - { intent, code } runs JavaScript of yours: `const file = await mcp.fs.read({ path: args.path }); return file.content;`",
  "     Tools are called as mcp.server.tool(input), capabilities as capabilities.namespace.name(args). Several tools in one",
  "     run are better than one run for each. Return what is needed, not everything.",
  "What works is remembered under the intent, so say the intent in the user's words, without values that change.",
  "On approval_required, show the user what would be called, and answer with pml_answer_approval as they say.",
  "Named capabilities are tools as well (cap_namespace_name). dns_* looks names up, meta_* shows what there is, learn_*",
  "saves, names and corrects what was learned: tell learn_feedback when a result was wrong.",
].join("\n");
