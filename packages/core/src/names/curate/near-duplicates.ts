import { type Analysis, dagToCode, type DAGStructure, structureToDag } from "@pml/analyzer";

import type { Capability } from "../../model/capability.js";
import { listDefaults } from "../../model/signature.js";
import { generalise } from "./generalise.js";
import { nameByRule } from "./name-by-rule.js";

/** One capability that several are cases of. */
export interface ParentProposal {
  ids: string[];
  name: string;
  intent: string;
  code: string;
  /** What became a parameter, with its value in the first of them. */
  parameters: Record<string, unknown>;
}

/** With more to fill in than this, it is a tool rather than a capability. */
const MOST_PARAMETERS = 8;

interface Group {
  members: Capability[];
  dag: DAGStructure | undefined;
  parameters: Record<string, unknown>;
}

/**
 * Capabilities that do the same with other values. Only those are compared that want the same done: `get` and `delete`
 * may be one request with two methods, and are still two capabilities.
 */
export function findNearDuplicates(
  capabilities: readonly Capability[],
  analyse: (code: string) => Analysis,
): ParentProposal[] {
  const buckets = new Map<string, Group[]>();
  for (const capability of capabilities) {
    const dag = readDag(capability, analyse);
    const key = bucketOf(capability, dag);
    const groups = buckets.get(key) ?? [];
    buckets.set(key, groups);
    if (!groups.some((group) => join(group, capability, dag)))
      groups.push({ members: [capability], dag, parameters: {} });
  }
  const found = [...buckets.values()].flat().filter(({ members }) => members.length > 1);
  return found.flatMap((group) => propose(group) ?? []);
}

function join(group: Group, capability: Capability, dag: DAGStructure | undefined): boolean {
  if (group.dag === undefined || dag === undefined) {
    const isSame = group.dag === dag && capability.shape !== undefined && group.members[0]?.shape === capability.shape;
    if (isSame) group.members.push(capability);
    return isSame;
  }
  const more = generalise(group.dag, dag);
  if (more === undefined) return false;
  const parameters = { ...group.parameters, ...more.parameters };
  if (Object.keys(parameters).length > MOST_PARAMETERS) return false;
  group.members.push(capability);
  Object.assign(group, { dag: more.dag, parameters });
  return true;
}

function propose({ members, dag, parameters }: Group): ParentProposal | undefined {
  const [first] = members;
  const code = dag === undefined ? first?.parameterisedCode : dagToCode(dag);
  if (first === undefined || code === undefined) return undefined;
  const intent = commonWords(members.map((each) => each.intent));
  return {
    ids: members.map(({ id }) => id),
    name: nameByRule({ intent, toolsUsed: first.toolsUsed }).name,
    intent,
    code,
    parameters: dag === undefined ? listDefaults(first) : parameters,
  };
}

/** The first intent without the words that are not in all of them. */
function commonWords(intents: readonly string[]): string {
  const [first = "", ...others] = intents;
  const sets = others.map((each) => new Set(each.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const shared = first.split(/\s+/).filter((word) => {
    const [plain] = word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return plain !== undefined && sets.every((set) => set.has(plain));
  });
  return shared.length > 0 ? shared.join(" ") : first;
}

function bucketOf(capability: Capability, dag: DAGStructure | undefined): string {
  const { action } = nameByRule(capability);
  const tools = dag?.tasks.map(({ tool }) => tool) ?? [capability.shape ?? capability.id];
  return [action, ...tools.sort()].join("\n");
}

function readDag({ source }: Capability, analyse: (code: string) => Analysis): DAGStructure | undefined {
  if (source.type === "dag") return source.dagStructure as DAGStructure;
  if (source.type === "tool") return undefined;
  const conversion = structureToDag(analyse(source.code));
  return conversion.ok ? conversion.dag : undefined;
}
