import { createHash } from "node:crypto";

import { PmlError } from "../model/error.js";

/** What every model API takes as the name of a tool. */
const MAX_LENGTH = 64;
/** Words that neither begin nor end with an underscore nor double one, so that the separator stands out. */
const SEGMENT = "[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*";
const PLAIN = new RegExp(`^(?=[a-zA-Z])${SEGMENT}(?::${SEGMENT})*$`);
const SEPARATOR = "__";
/** Three underscores never come of a plain name: no plain name can pass for a shortened one. */
const HASH_MARK = "___";
/** 96 bits: nobody finds two names that share them, be it on purpose. */
const HASH_LENGTH = 24;

/**
 * A name in `[a-zA-Z0-9_-]{1,64}`: `cap:fs:read_json` becomes `cap__fs__read_json`. What does not fit is shortened and
 * told apart by its hash. It hangs on the name alone, so it stays what it is while other names come and go.
 */
export function toSafeToolName(name: string): string {
  const plain = name.replaceAll(":", SEPARATOR);
  if (PLAIN.test(name) && plain.length <= MAX_LENGTH) return plain;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_LENGTH);
  const readable = name.replaceAll(/[^a-zA-Z0-9]+/g, "_").replaceAll(/^[_0-9]+|_+$/g, "");
  const room = MAX_LENGTH - HASH_MARK.length - HASH_LENGTH;
  return `${readable.slice(0, room).replace(/_$/, "") || "tool"}${HASH_MARK}${hash}`;
}

/** The way back: from safe names to those they stand for. */
export function toSafeToolNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const bySafeName = new Map<string, string>();
  for (const name of names) {
    const safe = toSafeToolName(name);
    const other = bySafeName.get(safe) ?? name;
    if (other !== name) throw collision(safe, [other, name]);
    bySafeName.set(safe, name);
  }
  return bySafeName;
}

function collision(safe: string, names: readonly string[]): PmlError {
  const message = `"${names.join('" and "')}" would both be called ${safe}. Rename one of them.`;
  return new PmlError("PML_CONFLICT", message, { details: { safe, names } });
}
