import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AnyNode, Program } from "acorn";

import type { Machine } from "../evaluate/machine.js";
import { normalise } from "./normalise.js";

export interface Identity {
  /** Equal for code that does the same, whatever its names and layout. */
  readonly hash: string;
  /** The same with the values of lifted literals left out. */
  readonly shape: string;
}

export function identify(program: Program, machine: Machine, lifted: ReadonlySet<AnyNode>): Identity {
  const { text, values, shape } = normalise(program, machine, lifted);
  const outline = digest(text);
  return { hash: digest(`${outline} ${values}`), shape: shape === text ? outline : digest(shape) };
}

function digest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
