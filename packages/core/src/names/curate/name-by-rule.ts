import { inferNamespace, namespaceOfTool } from "./namespace-rules.js";
import { findVerb } from "./verbs.js";

/** What a name is made from. */
export interface Nameable {
  intent: string;
  toolsUsed: readonly string[];
}

export interface RuleName {
  namespace: string;
  /** The verb. */
  action: string;
  name: string;
  /** Words that tell it from others of the same name, best first. */
  variants: string[];
  reason: string;
}

/** Where what is acted on ends, and something about it begins. */
const BOUNDARIES: ReadonlySet<string> = new Set(
  "of from in into on onto at by with without for to as via using through and then or that which who whose where when if so because under over between after before per about than older newer larger smaller bigger more less greater matching containing".split(
    " ",
  ),
);
const FILLERS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those my our your his her its their all any each every some new latest current given specified " +
    "following same first last one two please me us you i we it them up out down just also very content contents " +
    "un une le la les des du de"
  ).split(" "),
);
const FORMATS: ReadonlySet<string> = new Set(
  "json csv tsv yaml yml xml html markdown pdf toml ini txt log png jpg svg".split(" "),
);
const MOST_TARGET_WORDS = 2;
const LONGEST_WORD = 20;
/** A verb further on is part of what is acted on. */
const LATEST_VERB = 6;

/** A name that reads as an instruction: the verb of the intent, and what it acts on; tools say what the intent leaves out. */
export function nameByRule({ intent, toolsUsed }: Nameable): RuleName {
  const namespace = inferNamespace(toolsUsed);
  const words = listWords(intent);
  const tool = describeTool(toolsUsed, namespace);
  const at = words.slice(0, LATEST_VERB).findIndex((word) => findVerb(word) !== undefined);
  const action = (at === -1 ? undefined : findVerb(words[at] as string)) ?? tool.verb ?? "run";
  const { target, rest } = readTarget(words.slice(at + 1));
  const conversion = action === "convert" ? readConversion(words.slice(at + 1)) : undefined;
  const said = conversion ?? [action, ...(target.length > 0 ? target : tool.target)].join("_");
  const source = at === -1 || target.length === 0 ? "intent and tools" : "intent";
  return {
    namespace,
    action,
    name: `${namespace}:${said}`,
    variants: [...rest, ...tool.target].filter((word) => !said.split("_").includes(word)),
    reason: `"${said}" by its ${source}, "${namespace}" by ${toolsUsed.join(", ") || "calling no tool"}`,
  };
}

/** Lower case words without accents. Addresses and quoted values are what it was used on, not what it does. */
function listWords(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\b[a-z]+:\/\/\S+/g, " ")
    .replace(/"[^"]*"|`[^`]*`|(?<![a-z])'[^']*'/g, " ")
    .replace(/(?<![a-z0-9])[\w./~-]*\.([a-z]{2,4})\b/g, (path, extension: string) =>
      FORMATS.has(extension) ? extension : path,
    )
    .replace(/(?<=[a-z])'[a-z]+/g, " ");
  return (plain.match(/[a-z][a-z0-9]*/g) ?? []).filter((word) => word.length <= LONGEST_WORD);
}

function readTarget(words: readonly string[]): { target: string[]; rest: string[] } {
  const end = words.findIndex((word, index) => BOUNDARIES.has(word) && words.slice(0, index).some(isTelling));
  const head = (end === -1 ? words : words.slice(0, end)).filter(isTelling);
  const rest = (end === -1 ? [] : words.slice(end)).filter(isTelling);
  const format = head.find((word) => FORMATS.has(word));
  const isFile = head.every((word) => FORMATS.has(word) || /^(?:files?|documents?|data)$/.test(word));
  const target = format !== undefined && isFile ? [format] : head.slice(0, MOST_TARGET_WORDS);
  return { target, rest: [...head.slice(MOST_TARGET_WORDS), ...rest].filter((word) => !target.includes(word)) };
}

/** `csv to json`, `csv into json`: what it was and what it becomes. */
function readConversion(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === "to" || word === "into");
  const from = words.slice(0, at).find(isTelling);
  const to = words.slice(at + 1).find(isTelling);
  return at > 0 && from !== undefined && to !== undefined && from !== to ? `${from}_to_${to}` : undefined;
}

function isTelling(word: string): boolean {
  return !FILLERS.has(word) && !BOUNDARIES.has(word) && word.length > 1;
}

/** Of the first tool that speaks for the namespace. */
function describeTool(tools: readonly string[], namespace: string): { verb: string | undefined; target: string[] } {
  const tool = tools.find((each) => namespaceOfTool(each) === namespace) ?? tools[0];
  const [server = "data", name = ""] = tool?.split(":") ?? [];
  const words = listWords(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]/g, " "));
  const verb = words.map(findVerb).find((each) => each !== undefined);
  const target = words.filter((word) => findVerb(word) === undefined && isTelling(word)).slice(0, MOST_TARGET_WORDS);
  const fallback = namespace === "fs" ? "file" : (listWords(server).at(0) ?? "data");
  return { verb, target: target.length > 0 ? target : [fallback] };
}
