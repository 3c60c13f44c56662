import type { Capability } from "../model/capability.js";
import { checkSignature, signCapability } from "../model/signature.js";
import type { StoredTool } from "../model/tool.js";
import type { StoreContext } from "../store/context.js";
import { listTools } from "../store/tools.js";
import { type Bundle, packBundle, type PackageContent } from "./bundle.js";
import { listCandidatesForNames } from "./curate/candidates.js";
import { contentOf } from "./fork.js";
import { lookup } from "./lookup.js";
import { resolveCalls } from "./resolve-calls.js";
import { resolve } from "./resolve.js";
import { listSamples } from "./verify.js";

const ALL = 10_000;

/** Those that are named here, and what they call in turn; without names, all of the project that has worked. */
export async function exportBundle(context: StoreContext, names?: readonly string[]): Promise<Bundle> {
  const chosen =
    names === undefined
      ? await listCandidatesForNames(context, { filter: { unnamedOnly: false }, limit: ALL })
      : (await Promise.all(names.map((name) => resolve(context, name)))).map(({ capability }) => capability);
  const byId = new Map(chosen.map((each) => [each.id, each]));
  const calls = await resolveCalls(context, chosen.flatMap(listCalled));
  for (const { called } of calls.resolutions) {
    const inner = calls.find(called);
    if (inner !== undefined) byId.set(inner.id, inner);
  }
  const tools = await listTools(context);
  return packBundle(await Promise.all([...byId.values()].map((each) => pack(context, each, tools))));
}

async function pack(
  context: StoreContext,
  capability: Capability,
  tools: readonly StoredTool[],
): Promise<PackageContent> {
  // Signed anew below: whoever gets it must not take for ours what somebody else made of it.
  checkSignature(capability);
  const { intent, description, name } = capability;
  const record = name === undefined ? undefined : await lookup(context, capability.id).catch(() => undefined);
  const used = new Set(capability.toolsUsed);
  return {
    capability: { ...contentOf(capability), intent, ...(description !== undefined && { description }) },
    signature: signCapability(capability),
    ...(name !== undefined && { name }),
    tags: record?.tags ?? [],
    ...(record?.versionTag !== undefined && { versionTag: record.versionTag }),
    tools: tools.filter(({ id }) => used.has(id)).map(describe),
    samples: await listSamples(context, capability.id),
  };
}

function describe({
  id,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: StoredTool): PackageContent["tools"][number] {
  return {
    id,
    description,
    annotations,
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
}

function listCalled({ permissions }: Capability): readonly string[] {
  return (permissions as { capabilities?: readonly string[] } | undefined)?.capabilities ?? [];
}
