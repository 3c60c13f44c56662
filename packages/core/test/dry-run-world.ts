import type { DryRunReport, Tool } from "@pml/core";

/** Every tool here is a trap: a dry run that calls one is wrong. */
export const touched: string[] = [];
const trap = (id: string, rest: Partial<Tool> = {}): Tool => ({
  id,
  description: `Does ${id}`,
  ...rest,
  execute() {
    touched.push(id);
    throw new Error(`${id} was really called`);
  },
});
const text = { type: "string" };
const object = (properties: object, required: string[] = Object.keys(properties)): object => ({
  type: "object",
  properties,
  required,
});

export const tools: Tool[] = [
  trap("fs:read", { inputSchema: object({ path: text }), outputSchema: object({ content: text }) }),
  trap("fs:delete", { inputSchema: object({ path: text }), annotations: { destructiveHint: true } }),
  trap("db:query", {
    outputSchema: object({ rows: { type: "array", items: object({ email: text, active: { type: "boolean" } }) } }),
  }),
  trap("mail:send", { inputSchema: object({ to: text }), approval: "required" }),
  trap("web:search", {
    examples: [
      { args: { q: "a" }, result: ["first"] },
      { args: { q: "b" }, result: ["second"] },
    ],
  }),
  trap("web:page", { outputSchema: object({ items: { type: "array", items: text }, next: text }, ["items"]) }),
  trap("misc:any"),
];

/** Ways out of decisions as `d1 true`, those not covered with a question mark. */
export function waysOf({ decisions }: DryRunReport): string[] {
  return decisions.flatMap(({ place, outcomes }) =>
    outcomes.map(({ outcome, covered }) => `${place} ${outcome}${covered ? "" : "?"}`),
  );
}

export function toolsOf({ calls }: DryRunReport): string[] {
  return [...new Set(calls.map(({ tool }) => tool))].sort();
}
