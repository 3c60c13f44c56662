import { createHash } from "node:crypto";

import type { NewCapability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { canonicalJson } from "../model/identity.js";
import type { NewTool } from "../model/tool.js";
import type { SampleTrace } from "./powers.js";

/** A capability with all that is needed to judge it elsewhere. */
export interface PackageContent {
  capability: Omit<NewCapability, "name" | "visibility"> & { hash: string };
  signature: string;
  /** Display name, where it has one. */
  name?: string;
  tags: string[];
  versionTag?: string;
  /** What its tools looked like where it worked. */
  tools: NewTool[];
  /** Runs that went well, to be replayed. */
  samples: SampleTrace[];
}

/** Each package is known by what is in it, and the bundle by its packages: change anything, and the address is another. */
export interface Bundle {
  format: "pml-bundle";
  version: 1;
  address: string;
  packages: { address: string; content: PackageContent }[];
}

const MOST_PACKAGES = 10_000;

export function packBundle(contents: readonly PackageContent[]): Bundle {
  // Through JSON and back, so that what is hashed is what a file would hold.
  const plain = JSON.parse(JSON.stringify(contents)) as PackageContent[];
  const packages = plain.map((content) => ({ address: addressOf(content), content }));
  return { format: "pml-bundle", version: 1, address: addressOfAll(packages), packages };
}

/** Throws for what is not a bundle, or not the one its addresses say. What the packages claim is for the import to check. */
export function openBundle(given: unknown): Bundle["packages"] {
  const { format, version, address, packages } = (given ?? {}) as Partial<Bundle>;
  if (format !== "pml-bundle" || version !== 1 || !Array.isArray(packages) || packages.length > MOST_PACKAGES)
    throw invalid("it is not a bundle of capabilities that this version can read");
  for (const each of packages as Bundle["packages"]) {
    if (!isContent(each?.content)) throw invalid("a package of it is incomplete");
    if (each.address !== addressOfForeign(each.content))
      throw invalid("a package is not what its address says", each.address);
  }
  if (address !== addressOfAll(packages)) throw invalid("packages were added or taken out");
  return packages;
}

function addressOf(content: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(content)).digest("hex")}`;
}

/** Nested deep enough, it cannot be read at all. */
function addressOfForeign(content: unknown): string {
  try {
    return addressOf(content);
  } catch {
    throw invalid("a package is no JSON, or nested too deeply");
  }
}

function addressOfAll(packages: readonly { address: string }[]): string {
  return addressOf(packages.map(({ address }) => address).sort());
}

function isContent(content: unknown): content is PackageContent {
  const { capability, signature, name, versionTag, tags, tools, samples } = (content ?? {}) as Partial<PackageContent>;
  const source = capability?.source as { type?: unknown; code?: unknown; toolId?: unknown } | undefined;
  const isSource =
    (source?.type === "code" && typeof source.code === "string") ||
    source?.type === "dag" ||
    (source?.type === "tool" && typeof source.toolId === "string");
  const areTexts = [signature, name ?? "", versionTag ?? "", ...listOf(tags)].every((each) => typeof each === "string");
  return isSource && areTexts && [tags, tools, samples].every(Array.isArray);
}

function listOf(given: unknown): unknown[] {
  return Array.isArray(given) ? given : [];
}

function invalid(why: string, address?: unknown): PmlError {
  return new PmlError("PML_BUNDLE_INVALID", `This cannot be imported: ${why}. Nothing was.`, {
    details: address === undefined ? {} : { address: String(address).slice(0, 100) },
  });
}
