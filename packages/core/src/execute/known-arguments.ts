import type { ArgumentValue, Arguments, CapabilityNode, StructureNode } from "@pml/analyzer";

import type { Callee } from "./closure.js";

/** Code, and what is known of its inputs. */
interface Unit {
  readonly nodes: readonly StructureNode[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** More calls than this nobody reads, and capabilities that call several others multiply. */
const MOST_CALLS = 50;
const MOST_UNITS = 500;

/** For each call of a tool, through the capabilities that are called, what is known of its input before anything ran. */
export function listKnownCalls(start: Unit, callees: readonly Callee[], tool: string): Record<string, unknown>[] {
  const byName = new Map(callees.map((callee) => [callee.name, callee]));
  const calls: Record<string, unknown>[] = [];
  const units: Unit[] = [start];
  for (let at = 0; at < Math.min(units.length, MOST_UNITS) && calls.length < MOST_CALLS; at++) {
    const unit = units[at] as Unit;
    for (const node of unit.nodes) {
      if (node.type === "task" && node.tool === tool) calls.push(describeInput(node, unit.inputs));
      const callee = node.type === "capability" ? byName.get(nameOf(node)) : undefined;
      if (callee !== undefined) units.push(enter(callee, node as CapabilityNode, unit.inputs));
    }
  }
  return calls.slice(0, MOST_CALLS);
}

/** What the caller passes stands over the defaults, also where it is not known what that will be. */
function enter({ nodes, defaults }: Callee, node: CapabilityNode, inputs: Unit["inputs"]): Unit {
  if ((node.spread ?? []).length > 0) return { nodes, inputs: {} };
  return { nodes, inputs: { ...defaults, ...mapValues(node.arguments, (value) => find(value, inputs)) } };
}

function describeInput(
  { arguments: given, spread = [] }: { arguments: Arguments; spread?: readonly ArgumentValue[] },
  inputs: Unit["inputs"],
): Record<string, unknown> {
  const parts = spread.map((part) => describe(part, inputs));
  const known = parts.filter((part): part is object => typeof part === "object" && part !== null);
  return Object.assign(
    {},
    ...known,
    mapValues(given, (value) => describe(value, inputs)),
  ) as Record<string, unknown>;
}

/** The value, or where it will come from. */
function describe(value: ArgumentValue, inputs: Unit["inputs"]): unknown {
  const known = find(value, inputs);
  if (known !== undefined) return known;
  if (value.type === "parameter") return { parameter: value.parameterName };
  if (value.type === "literal") return value.value;
  if (value.type === "reference") return { from: value.expression };
  if (value.fields !== undefined) return mapValues(value.fields, (field) => describe(field, inputs));
  if (value.items !== undefined) return value.items.map((item) => describe(item, inputs));
  return { from: value.expression };
}

/** Undefined for what is not known yet. */
function find(value: ArgumentValue, inputs: Unit["inputs"]): unknown {
  if (value.type === "literal") return value.value;
  if (value.type !== "parameter") return undefined;
  const start = value.parameterName === "*" ? inputs : inputs[value.parameterName];
  return value.path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null && Object.hasOwn(at, key) ? at[key as never] : undefined),
    start,
  );
}

function mapValues(given: Arguments, map: (value: ArgumentValue) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));
}

/** As the code calls it. */
function nameOf({ capability, version }: CapabilityNode): string {
  return version === undefined ? capability : `${capability}@${version}`;
}
