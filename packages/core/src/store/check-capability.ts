import type { CapabilitySource, NewCapability } from "../model/capability.js";
import { invalidInput } from "../model/error.js";
import { VISIBILITIES } from "../model/scope.js";
import { checkIntent, checkText } from "../model/text.js";
import { checkToolId } from "../model/tool.js";

const MAX_NAME_LENGTH = 500;
const MAX_HASH_LENGTH = 200;

/** A capability of which every text can be stored and read back the same. */
export function checkCapability(given: NewCapability): NewCapability {
  checkIntent(given.intent);
  checkSource(given.source);
  const texts: [string, string | undefined, number?][] = [
    ["The description", given.description],
    ["The name", given.name, MAX_NAME_LENGTH],
    ["The parameterised code", given.parameterisedCode],
    ["The hash", given.hash, MAX_HASH_LENGTH],
    ["The shape", given.shape, MAX_HASH_LENGTH],
  ];
  for (const [what, text, maxLength] of texts) if (text !== undefined) checkText(what, text, maxLength);
  for (const tool of given.toolsUsed ?? []) checkText("The id of a tool it uses", tool);
  if (given.visibility !== undefined && !VISIBILITIES.includes(given.visibility))
    throw invalidInput(`"${String(given.visibility)}" is no visibility. There are ${VISIBILITIES.join(", ")}.`);
  return given;
}

function checkSource(source: CapabilitySource): void {
  switch (source?.type) {
    case "code":
      checkText("Code", source.code);
      return;
    case "tool":
      checkToolId(source.toolId);
      return;
    case "dag":
      if (typeof source.dagStructure === "object" && source.dagStructure !== null) return;
      throw invalidInput("A DAG is an object with tasks.");
    default:
      throw invalidInput('A source is of type "code", "dag" or "tool".');
  }
}
