import { PmlError } from "../model/error.js";
import { showText } from "../model/text.js";

/** `namespace:action_target[_variant]`, as agents say it. */
export interface DisplayName {
  namespace: string;
  action: string;
}

const MAX_NAMESPACE = 32;
const MAX_ACTION = 64;
const WORD = /^[a-z][a-z0-9]*$/;
const WORDS = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/**
 * Namespaces that mean something else already: the doors that code calls through, the servers of the standard library,
 * pure operations, names given by PML, and what the language looks up on any object.
 */
const RESERVED: ReadonlySet<string> = new Set(
  "cap capabilities capability code constructor context args dns learn mcp meta pml prototype std then tool unnamed".split(
    " ",
  ),
);

export const UNNAMED = "unnamed_";
/** So many characters of the hash are shown; enough to tell a million apart. */
const SHOWN = 16;

/** What a capability is called that nobody has named. */
export function unnamed(hash: string): string {
  return `${UNNAMED}${hash.slice(0, SHOWN)}`;
}

/** Throws for a name that breaks a rule, and says which. */
export function checkDisplayName(name: unknown): DisplayName & { name: string } {
  const rule = findBrokenRule(name);
  if (rule === undefined) return { ...split(name as string), name: name as string };
  const shown = showText(name, 100);
  throw new PmlError("PML_NAME_INVALID", `"${shown}" cannot be the name of a capability: ${rule.text}`, {
    details: { name: shown, rule: rule.rule },
  });
}

export interface BrokenRule {
  rule: "form" | "namespace" | "reserved" | "action" | "target" | "length";
  text: string;
}

/** The first rule that a name breaks; undefined for a name that can be given. */
export function findBrokenRule(name: unknown): BrokenRule | undefined {
  if (typeof name !== "string" || name.split(":").length !== 2)
    return { rule: "form", text: 'write "namespace:action_target", as "fs:read_json".' };
  const { namespace, action } = split(name);
  if (namespace.length > MAX_NAMESPACE || action.length > MAX_ACTION)
    return { rule: "length", text: `a namespace has at most ${MAX_NAMESPACE} characters, an action ${MAX_ACTION}.` };
  if (RESERVED.has(namespace) || namespace.startsWith(UNNAMED))
    return { rule: "reserved", text: `the namespace "${namespace}" is reserved; choose another.` };
  if (!WORD.test(namespace))
    return { rule: "namespace", text: "the namespace is one word of lower case letters and digits, as fs." };
  if (!WORDS.test(action))
    return { rule: "action", text: "the action is lower case words joined by single underscores, as read_json." };
  if (!action.includes("_"))
    return { rule: "target", text: `say what "${action}" acts on, as ${namespace}:${action}_file.` };
  return undefined;
}

function split(name: string): DisplayName {
  const at = name.indexOf(":");
  return { namespace: name.slice(0, at), action: name.slice(at + 1) };
}
