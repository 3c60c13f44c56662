import { createHash } from "node:crypto";

/** What every client and every model takes as the name of a tool. */
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
const PREFIX = "cap_";
const LONGEST = 64;
const SIMPLE = /^([a-z][a-z0-9]*):([a-z0-9_]+)$/;
const UNNAMED = /^unnamed_[0-9a-f]+$/;

/**
 * `fs:read_json` becomes `cap_fs_read_json`. A namespace is one word, so that can be read back. What is longer, or lives
 * in another project, ends in `-` and a hash, which nothing simple does.
 */
export function encodeCapabilityName(name: string): string {
  const simple = `${PREFIX}${name.replace(":", "_")}`;
  if ((SIMPLE.test(name) || UNNAMED.test(name)) && ACCEPTED.test(simple)) return simple;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  const readable = name.replaceAll(/[^a-zA-Z0-9_]/g, "_");
  return `${PREFIX}${readable.slice(0, LONGEST - PREFIX.length - hash.length - 1)}-${hash}`;
}

/** The name of a capability that a caller means; `hashed` when only a list of names can say which. */
export function decodeCapabilityName(tool: string): { name: string } | { hashed: string } | undefined {
  if (tool.startsWith("cap:")) return { name: tool.slice("cap:".length) };
  if (!tool.startsWith(PREFIX)) return undefined;
  if (tool.includes("-")) return { hashed: tool };
  const rest = tool.slice(PREFIX.length);
  if (UNNAMED.test(rest)) return { name: rest };
  return { name: rest.replace("_", ":") };
}
