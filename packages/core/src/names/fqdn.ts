import { createHash } from "node:crypto";

import { PmlError } from "../model/error.js";
import { resolveScope } from "../model/scope.js";
import type { DisplayName } from "./display-name.js";

/** The full name of a record: `org.project.namespace.action.hash`. */
export interface Fqdn extends DisplayName {
  org: string;
  project: string;
  /** Stays the same through renames and versions, so that an old FQDN still leads to its record. */
  hash: string;
}

/** 64 bits: among a million records of one project, two are alike with a chance of 3 in 100 million. */
const HASH_LENGTH = 16;
/** As people are shown it. */
const SHORT = 4;

export function formatFqdn({ org, project, namespace, action, hash }: Fqdn): string {
  return [formatHome({ org, project }), namespace, action, hash].join(".");
}

export function shortenFqdn(fqdn: string): string {
  const at = fqdn.lastIndexOf(".") + 1;
  return fqdn.slice(0, at + SHORT);
}

/** The hash may be cut short, as it is shown. */
export function parseFqdn(text: string): Fqdn {
  const parts = text.split(".");
  const [org = "", project = "", namespace = "", action = "", hash = ""] = parts;
  const isWhole = parts.length === 5 && parts.every((part) => part !== "") && /^[0-9a-f]{4,16}$/.test(hash);
  if (!isWhole) throw notAFqdn(text);
  return { ...parseHome(`${org}.${project}`), namespace, action, hash };
}

/** `org.project`. Dots and colons in either are escaped, so that what was joined can be taken apart. */
export function formatHome({ org, project }: { org: string; project: string }): string {
  return `${escape(org)}.${escape(project)}`;
}

export function parseHome(text: string): { org: string; project: string } {
  const [org = "", project = "", ...rest] = text.split(".");
  if (org === "" || project === "" || rest.length > 0) throw notAFqdn(text);
  try {
    const scope = resolveScope({ org: decodeURIComponent(org), project: decodeURIComponent(project) });
    return { org: scope.org, project: scope.project };
  } catch (error) {
    throw notAFqdn(text, error);
  }
}

/** Of what a record was when it was made; `salt` tells two apart that began alike. */
export function hashRecord(first: {
  home: string;
  owner: string;
  name: string;
  codeHash: string;
  salt: number;
}): string {
  const text = [first.home, first.owner, first.name, first.codeHash, first.salt].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}

function escape(part: string): string {
  return encodeURIComponent(part).replace(/[.!'()*~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function notAFqdn(text: string, cause?: unknown): PmlError {
  const shown = text.slice(0, 100);
  return new PmlError("PML_NAME_INVALID", `"${shown}" is not a full name: write org.project.namespace.action.hash.`, {
    details: { name: shown, rule: "fqdn" },
    cause,
  });
}
