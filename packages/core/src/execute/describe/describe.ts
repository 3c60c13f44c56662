import { type Discovered, discover } from "../../discover/discover.js";
import type { Capability } from "../../model/capability.js";
import { invalidInput } from "../../model/error.js";
import type { Scope } from "../../model/scope.js";
import { checkNumber } from "../../model/text.js";
import type { Tool } from "../../model/tool.js";
import { listCapabilities } from "../../store/capabilities.js";
import type { Place, Powers } from "../job.js";
import { type Entry, fitEntries } from "./fit-entries.js";
import { writeRules } from "./rules.js";

export interface DescribeRequest {
  /** Ids of tools, or `server:*`. All of them when not given. */
  tools?: readonly string[];
  /** Names of capabilities; false for none. All that have a name and work when not given. */
  capabilities?: readonly string[] | false;
  /** What the model is to do: the tools and capabilities likeliest for it come first. */
  intent?: string;
  /** Most tokens of the text, estimated as a quarter of its characters. Default 4000. */
  budget?: number;
  scope?: Partial<Scope>;
}

export interface Description {
  /** For the prompt of a model that writes code. */
  text: string;
  /** Estimated: a quarter of its characters. */
  tokens: number;
  /** What there was no room for; the text says so too. */
  leftOut: { tools: string[]; capabilities: string[] };
}

export const DEFAULT_DESCRIBE_BUDGET = 4000;
/** Common tokenizers make a token of about four characters of English or of code. */
export const CHARACTERS_PER_TOKEN = 4;
const MOST_CAPABILITIES = 200;
const MOST_RANKED = 200;

/** What a model needs to know to write code for this memory: declarations of all it can call, and the rules. */
export async function describeMemory(
  { box }: Powers,
  place: Place,
  { tools, capabilities, intent, budget = DEFAULT_DESCRIBE_BUDGET }: Omit<DescribeRequest, "scope">,
): Promise<Description> {
  const rules = writeRules();
  const least = Math.ceil((rules.length + ROOM_FOR_THE_REST) / CHARACTERS_PER_TOKEN);
  checkNumber("The budget", budget, { min: least, max: 1_000_000 });
  const entries = [
    ...box
      .list()
      .filter(({ id }) => isWanted(id, tools))
      .map((tool) => describeTool(tool, place)),
    ...(await listWanted(place, capabilities)).map(describeCapability),
  ];
  const ordered = intent === undefined ? entries : await orderFor(place, entries, intent);
  const room = budget * CHARACTERS_PER_TOKEN - rules.length;
  const { text, leftOut } = fitEntries(ordered, room);
  const whole = rules + text;
  const listLeft = (kind: Entry["kind"]): string[] => leftOut.filter((each) => each.kind === kind).map(({ id }) => id);
  return {
    text: whole,
    tokens: Math.ceil(whole.length / CHARACTERS_PER_TOKEN),
    leftOut: { tools: listLeft("tool"), capabilities: listLeft("capability") },
  };
}

const ROOM_FOR_THE_REST = 400;

function isWanted(id: string, patterns: readonly string[] | undefined): boolean {
  if (patterns === undefined) return true;
  return patterns.some((each) => each === id || (each.endsWith(":*") && id.startsWith(each.slice(0, -1))));
}

function describeTool(
  { id, description, inputSchema, outputSchema, annotations, approval }: Tool,
  place: Place,
): Entry {
  const at = id.indexOf(":");
  const learned = outputSchema === undefined ? place.workspace.findLearnedOutput(id) : undefined;
  const asks = approval === "required" || (approval !== "auto" && annotations?.destructiveHint === true);
  return {
    kind: "tool",
    id,
    path: [id.slice(0, at), id.slice(at + 1)],
    description: asks ? `${description} (A person is asked first.)` : description,
    input: inputSchema,
    output: outputSchema ?? learned,
  };
}

async function listWanted({ context }: Place, wanted: DescribeRequest["capabilities"]): Promise<Capability[]> {
  if (wanted === false) return [];
  const named = await listCapabilities(context, { namedOnly: true, sortBy: "usage", limit: MOST_CAPABILITIES });
  const missing = (wanted ?? []).filter((name) => !named.some((each) => each.name === name));
  if (missing.length > 0) throw invalidInput(`There is no capability ${missing.join(", ")}.`, { missing });
  return named.filter(({ name = "", status }) => (wanted === undefined ? status === "active" : wanted.includes(name)));
}

function describeCapability({ id, name = "", description, intent, parameters }: Capability): Entry {
  const at = name.indexOf(":");
  const path = at === -1 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  return { kind: "capability", id: name, key: id, path, description: description ?? intent, input: parameters };
}

/** The likeliest first; what discovery does not speak of comes after, as it was. */
async function orderFor({ workspace, context }: Place, entries: readonly Entry[], intent: string): Promise<Entry[]> {
  const surroundings = { context, knowledge: workspace.knowledge, catalog: await workspace.catalog() };
  const { results } = await discover(surroundings, { intent, limit: MOST_RANKED });
  const rank = new Map(results.map((each: Discovered, at) => [`${each.type} ${each.id}`, at]));
  const rankOf = ({ kind, key, id }: Entry): number => rank.get(`${kind} ${key ?? id}`) ?? Infinity;
  return [...entries].sort((a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    return left === right ? 0 : left - right;
  });
}
