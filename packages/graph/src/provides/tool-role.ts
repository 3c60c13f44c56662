import { wordsOf } from "./words.js";

/** `finds` brings something in, `acts` changes something with it. General English; what is in neither list is neither. */
export type ToolRole = "finds" | "acts" | "unknown";

const FINDS = new Set(
  (
    "find search list lookup fetch query browse discover read load check scan download retrieve detect extract " +
    "locate explore see show view select get"
  ).split(" "),
);
const ACTS = new Set(
  (
    "buy book reserve order pay purchase send post publish submit create make add insert save store write update edit " +
    "modify set delete remove cancel play start stop schedule register subscribe transfer share upload apply request " +
    "rent hire print notify email encrypt"
  ).split(" "),
);

/** By the first verb in the name. */
export function roleOf(id: string): ToolRole {
  const name = id.slice(Math.max(id.lastIndexOf(":"), id.lastIndexOf("."), id.lastIndexOf("/")) + 1);
  for (const word of splitName(name)) {
    if (FINDS.has(word)) return "finds";
    if (ACTS.has(word)) return "acts";
  }
  return "unknown";
}

/** `wordsOf` leaves `get` out, which says here that something is brought in. */
function splitName(name: string): string[] {
  return /^get(?![a-z])/.test(name) ? ["get"] : wordsOf(name);
}
