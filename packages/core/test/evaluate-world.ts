import type { Pml, PmlOptions, Tool } from "@pml/core";

type Open = (options: PmlOptions) => Promise<Pml>;

const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** A tool that nobody would find by what it says. */
export function opaque(id: string): Tool {
  return {
    id,
    description: "It does something.",
    inputSchema: TEXT,
    annotations: { readOnlyHint: true },
    execute: () => 1,
  };
}

export const TASKS = [
  ["how warm is it outside", "tell me the temperature outdoors"],
  ["translate this sentence into French", "say this sentence in French please"],
  ["delete the oldest backup", "which old copy can be thrown away"],
  ["who is on call tonight", "which person is on call this night"],
  ["book a meeting room", "reserve a room for a meeting"],
  ["convert dollars to euros", "change an amount of dollars into euros"],
  ["count the open invoices", "number of invoices that are open"],
] as const;

const toolOf = (task: number): string => `task:number_${String.fromCharCode(97 + task)}`;
export const codeOf = (task: number): string => `return mcp.task["${toolOf(task).slice(5)}"]({ text: args.text });`;

/** A memory that was asked for everything in each of the wordings. */
export async function teach(open: Open, wordings: readonly (0 | 1)[], options: PmlOptions = {}): Promise<Pml> {
  const tools = TASKS.map((_, task) => opaque(toolOf(task)));
  const pml = await open({ tools, ...options });
  for (const [task, intents] of TASKS.entries())
    for (const wording of wordings)
      await pml.execute({ intent: intents[wording], code: codeOf(task), context: { text: "x" }, cache: false });
  return pml;
}
