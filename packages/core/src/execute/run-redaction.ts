import type { Analysis, ArgumentValue, StructureNode } from "@pml/analyzer";
import type { RunEvent } from "@pml/sandbox";

import { KnownSecrets } from "../model/known-secrets.js";
import { createRedaction, type Redact, type Redaction, type RedactionOptions } from "../model/redact.js";
import type { ToolBox } from "./tool-box.js";

/** As `Redact`, for what a tool is given or gives: what its schemas mark is secret too. */
export type RedactCall = <T>(tool: string, part: "input" | "output", value: T) => T;

export interface Redacting {
  readonly redact: Redact;
  /** For what the caller and the code say: what a tool gave makes nothing in it a secret. */
  readonly redactSaid: Redact;
  readonly redactCall: RedactCall;
  /** The same, with a memory: what was secret once is secret from then on. */
  remembering(): Redacting;
}

export function createRedacting(options: RedactionOptions | false | undefined, box: ToolBox): Redacting {
  const redaction: Redaction = options === false ? (value) => value : createRedaction(options);
  return bind(redaction, box);
}

function bind(redaction: Redaction, box: ToolBox, secrets?: KnownSecrets): Redacting {
  const known = secrets === undefined ? {} : { secrets };
  const redact: Redact = (value) => redaction(value, known);
  return {
    redact,
    redactSaid: redact,
    redactCall(tool, part, value) {
      const found = box.find(tool);
      return redaction(value, { ...known, schema: part === "input" ? found?.inputSchema : found?.outputSchema });
    },
    remembering: () => bind(redaction, box, new KnownSecrets()),
  };
}

/** The powers for one run: secrets in its inputs, and those it comes upon, are taken out of all that it leaves behind. */
export function redactRun<Powers extends Redacting>(
  powers: Powers,
  { inputs, analysis }: { inputs: Record<string, unknown>; analysis: Analysis },
): Powers {
  const [all, said] = [powers.remembering(), powers.remembering()];
  for (const redacting of [all, said]) {
    redacting.redact(inputs);
    for (const { tool, args } of listKnownArguments(analysis.structure.nodes, inputs))
      redacting.redactCall(tool, "input", args);
  }
  return { ...powers, ...all, redactSaid: said.redact };
}

/** Whether code has a secret written out in it: by its marks, or because it is given to a tool as one. */
export function hasSecret({ redact, redactCall }: Redacting, { analysis }: { analysis: Analysis }): boolean {
  if (redact(analysis.source) !== analysis.source) return true;
  return listKnownArguments(analysis.structure.nodes, {}).some(
    ({ tool, args }) => redactCall(tool, "input", args) !== args,
  );
}

export function redactEvent({ redact, redactCall }: Redacting, event: RunEvent): RunEvent {
  if (event.type === "tool_start" && event.args !== undefined)
    return redact({ ...event, args: redactCall(event.tool, "input", event.args) });
  if (event.type === "tool_end" && event.result !== undefined)
    return redact({ ...event, result: redactCall(event.tool, "output", event.result) });
  return redact(event);
}

/** What each call will be given, as far as code and inputs say before anything ran. */
function listKnownArguments(nodes: readonly StructureNode[], inputs: Inputs): { tool: string; args: object }[] {
  return nodes.flatMap((node) => {
    if (node.type !== "task" || node.tool.startsWith("code:")) return [];
    const spread = (node.spread ?? []).map((part) => resolve(part, inputs));
    return [{ tool: node.tool, args: Object.assign({}, ...spread, resolveFields(node.arguments, inputs)) as object }];
  });
}

type Inputs = Readonly<Record<string, unknown>>;

/** Undefined where nothing is known. */
function resolve(value: ArgumentValue, inputs: Inputs): unknown {
  if (value.type === "literal") return value.value;
  if (value.type === "parameter") {
    const start = value.parameterName === "*" ? inputs : inputs[value.parameterName];
    return value.path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], start);
  }
  if (value.type !== "expression") return undefined;
  if (value.fields !== undefined) return resolveFields(value.fields, inputs);
  if (value.items !== undefined) return findAny(value.items.map((item) => resolve(item, inputs)));
  // What it comes to is not known, but what goes into a secret is as secret as that.
  return findAny(value.parameters.map((name) => inputs[name]));
}

function resolveFields(fields: Readonly<Record<string, ArgumentValue>>, inputs: Inputs): object | undefined {
  const known = Object.entries(fields).map(([name, value]) => [name, resolve(value, inputs)] as const);
  return known.every(([, value]) => value === undefined) ? undefined : Object.fromEntries(known);
}

function findAny(values: unknown[]): unknown[] | undefined {
  return values.every((value) => value === undefined) ? undefined : values;
}
