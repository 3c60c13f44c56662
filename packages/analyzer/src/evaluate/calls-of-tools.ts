import type { AnyNode, CallExpression } from "acorn";

import type { CapabilityNode } from "../structure.js";
import { describeInput } from "./describe.js";
import { lineOf, type Machine, obstruct } from "./machine.js";
import { opaque, reference, type Term, type Value } from "./values.js";

export interface RemoteCall {
  readonly node: CallExpression;
  readonly terms: readonly Term[];
  readonly awaited: boolean;
}

type ToolValue = Value & { kind: "tool" };
type CapabilityValue = Value & { kind: "capabilities" };

export function callTool(machine: Machine, tool: ToolValue, call: RemoteCall): Value {
  const [input, second] = call.terms;
  if (second) obstruct(machine, call.node, "it gives a tool more than one input");
  return begin(machine, call, () => addTask(machine, { node: call.node, tool, input }));
}

export function callCapability(machine: Machine, capability: CapabilityValue, call: RemoteCall): Value {
  const [input] = call.terms;
  return begin(machine, call, () => addCapability(machine, { node: call.node, capability, input }));
}

/** Adds a call of a tool where the flow is. */
export function addTask(machine: Machine, call: { node: AnyNode; tool: ToolValue; input: Term | undefined }): string {
  const { id: tool, computed } = call.tool;
  const input = describeInput(machine, call.input, machine.catalog.findTool(tool)?.inputSchema);
  return machine.flow.add({
    id: machine.flow.id("n"),
    type: "task",
    tool,
    ...input,
    ...(computed !== undefined && { computed }),
    ...(machine.catalog.isReadOnly(tool) && { readOnly: true }),
    line: lineOf(machine, call.node),
  });
}

function begin(machine: Machine, { node, terms, awaited }: RemoteCall, add: () => string): Value {
  if (machine.quiet > 0) return opaque(...terms.map((term) => term.value));
  const id = awaited ? add() : machine.flow.start("started", lineOf(machine, node), add).result;
  machine.sites.aim(machine.path, machine.sites.number("call", node), id);
  const value = reference(id);
  machine.results.set(node, value);
  return value;
}

function addCapability(
  machine: Machine,
  call: { node: CallExpression; capability: CapabilityValue; input: Term | undefined },
): string {
  const { node, capability } = call;
  const named = nameCapability(machine, node, capability);
  const known = machine.catalog.findCapability(named.capability);
  const input = describeInput(machine, call.input, known?.parameters);
  const id = machine.flow.id("n");
  return machine.flow.add({
    id,
    type: "capability",
    ...named,
    ...(known?.id !== undefined && { capabilityId: known.id }),
    ...input,
    line: lineOf(machine, node),
  });
}

type Named = Pick<CapabilityNode, "capability" | "version" | "computed">;

/** `capabilities.fs.read_json`, `capabilities["fs:read_json@v1"]` and `mcp.cap["fs:read_json"]` are one name. */
function nameCapability(machine: Machine, node: CallExpression, { path, computed }: CapabilityValue): Named {
  if (computed !== undefined) return { capability: "*", computed };
  const full = path.join(":");
  const at = full.lastIndexOf("@");
  const capability = at > 0 ? full.slice(0, at) : full;
  const members = capability === "" ? [] : machine.catalog.membersOf(capability);
  if (capability === "" || members.length > 0) {
    const called = capability === "" ? "capabilities" : `"${capability}"`;
    const hint = members.length > 0 ? ` Call one of ${members.slice(0, 5).join(", ")}` : " Name a capability";
    throw machine.code.error("ANALYZER_NOT_CALLABLE", `${called} is a namespace and cannot be called.${hint}`, {
      offset: node.start,
    });
  }
  machine.reach.capability(full);
  return { capability, ...(at > 0 && { version: full.slice(at + 1) }) };
}
