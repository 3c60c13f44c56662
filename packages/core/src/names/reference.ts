import { checkDisplayName, UNNAMED } from "./display-name.js";
import { formatFqdn, formatHome, type Fqdn, parseFqdn, parseHome } from "./fqdn.js";
import { formatVersion, parseVersion, type VersionSpecifier } from "./version.js";

/** Whatever a capability can be called by. */
export type Target =
  /** `fs:read_json`, or `acme.shared:fs:read_json` across projects. */
  | { kind: "name"; name: string; home?: { org: string; project: string } }
  | { kind: "fqdn"; fqdn: Fqdn }
  | { kind: "unnamed"; hash: string }
  | { kind: "id"; id: string };

export interface Reference {
  target: Target;
  version: VersionSpecifier;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HASH = /^[0-9a-f]{4,64}$/;

/** Reads a display name, FQDN, id or `unnamed_<hash>`, each perhaps after `cap:` and before `@version`. */
export function parseReference(text: string): Reference {
  if (typeof text !== "string") checkDisplayName(text);
  const bare = text.startsWith("cap:") ? text.slice("cap:".length) : text;
  const at = bare.lastIndexOf("@");
  const version = parseVersion(at === -1 ? "latest" : bare.slice(at + 1));
  return { target: parseTarget(at === -1 ? bare : bare.slice(0, at)), version };
}

export function formatReference({ target, version }: Reference): string {
  const suffix = version.kind === "latest" ? "" : `@${formatVersion(version)}`;
  return `${formatTarget(target)}${suffix}`;
}

function parseTarget(text: string): Target {
  if (UUID.test(text)) return { kind: "id", id: text.toLowerCase() };
  if (text.startsWith(UNNAMED) && HASH.test(text.slice(UNNAMED.length)))
    return { kind: "unnamed", hash: text.slice(UNNAMED.length) };
  const parts = text.split(":");
  if (parts.length === 3) {
    const [home = "", namespace = "", action = ""] = parts;
    return { kind: "name", name: checkDisplayName(`${namespace}:${action}`).name, home: parseHome(home) };
  }
  const labels = text.split(".");
  if (parts.length === 1 && labels.length === 5) return { kind: "fqdn", fqdn: parseFqdn(text) };
  if (parts.length === 1 && labels.length === 4) return parseWithoutHash(labels);
  return { kind: "name", name: checkDisplayName(text).name };
}

/** `marketplace.public.fs.read_json`: whichever has the name there now. */
function parseWithoutHash([org = "", project = "", namespace = "", action = ""]: string[]): Target {
  return { kind: "name", name: checkDisplayName(`${namespace}:${action}`).name, home: parseHome(`${org}.${project}`) };
}

function formatTarget(target: Target): string {
  switch (target.kind) {
    case "id":
      return target.id;
    case "unnamed":
      return `${UNNAMED}${target.hash}`;
    case "fqdn":
      return formatFqdn(target.fqdn);
    case "name":
      return target.home === undefined ? target.name : `${formatHome(target.home)}:${target.name}`;
  }
}
