import type { Analysis } from "@pml/analyzer";

import type { Capability } from "../model/capability.js";
import { canonicalJson } from "../model/identity.js";
import { signCapability } from "../model/signature.js";
import type { NewTool } from "../model/tool.js";
import { listByTools, putReading } from "../store/resting.js";
import { Analyses, codeOf } from "./analyses.js";
import { addCoverage } from "./coverage.js";
import type { Powers } from "./job.js";
import type { ToolChanges, Workspace } from "./workspace.js";

/** What tools have become reaches everything that rests on them: results that were kept, and what is known of code. */
export async function followToolChanges(
  powers: Powers,
  { context }: Workspace,
  { changed, removed, before }: ToolChanges,
): Promise<void> {
  for (const toolId of changed) await powers.caches.invalidate(context, { trigger: "tool_schema_change", toolId });
  for (const toolId of removed) await powers.caches.invalidate(context, { trigger: "tool_removed", toolId });
  if (changed.length === 0) return;
  const [old, current] = [createReader(before), createReader(powers.box.list())];
  for (const capability of await listByTools(context, changed)) {
    const isAsStored = capability.signature === signCapability(capability);
    const reading = isAsStored ? findChanges(capability, old(capability), current(capability)) : {};
    if (Object.keys(reading).length > 0) await putReading(context, capability, reading);
  }
}

const READ = ["structure", "parameters", "permissions"] as const;
type Reading = Pick<Capability, (typeof READ)[number]>;
type Read = (capability: Capability) => Reading;

/** What came out of the code as the tools were, and comes out otherwise as they are. What came from elsewhere stays. */
function findChanges(capability: Capability, old: Reading, current: Reading): Partial<Reading> {
  const stale = READ.filter((part) => isSame(capability[part], old[part]) && !isSame(old[part], current[part]));
  return Object.fromEntries(stale.map((part) => [part, current[part]]));
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

function createReader(tools: readonly NewTool[]): Read {
  const analyses = new Analyses(tools);
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  return ({ source }) => read(analyses.analyse(codeOf({ source, parameterisedCode: undefined })), byId);
}

function read(analysis: Analysis, tools: ReadonlyMap<string, NewTool>): Reading {
  const structure = addCoverage(analysis, (id) => tools.get(id));
  return { structure, parameters: analysis.parameters, permissions: analysis.permissions };
}
