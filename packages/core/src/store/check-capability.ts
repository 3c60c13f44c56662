import type { CacheConfig, CapabilitySource, NewCapability } from "../model/capability.js";
import { invalidInput } from "../model/error.js";
import { checkVisibility, VISIBILITIES } from "../model/scope.js";
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
  if (given.visibility !== undefined) checkVisibility(given.visibility, VISIBILITIES);
  if (given.cacheConfig !== undefined) checkCacheConfig(given.cacheConfig);
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

const KEY_STRATEGIES = ["params_hash", "intent_similarity", "none"];
const INVALIDATORS = ["tool_schema_change", "daily", "manual_only"];

/** What each setting may be. */
const CACHE_SETTINGS: Readonly<Record<keyof CacheConfig, (value: unknown) => boolean>> = {
  cacheable: (value) => typeof value === "boolean",
  ttlSeconds: (value) => typeof value === "number" && value >= 0,
  keyStrategy: (value) => KEY_STRATEGIES.includes(value as string),
  invalidateOn: (value) => Array.isArray(value) && value.every((each) => INVALIDATORS.includes(each as string)),
  maxEntries: (value) => Number.isInteger(value) && (value as number) >= 0,
};

function checkCacheConfig(config: Partial<CacheConfig>): void {
  if (typeof config !== "object" || config === null) throw invalidInput("The cache's settings are an object.");
  for (const [setting, isAllowed] of Object.entries(CACHE_SETTINGS)) {
    const value = config[setting as keyof CacheConfig];
    if (value !== undefined && !isAllowed(value)) throw invalidInput(`The cache's setting ${setting} cannot be that.`);
  }
}
