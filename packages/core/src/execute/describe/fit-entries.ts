import { quoteName, writeComment } from "./safe-text.js";
import { writeType } from "./schema-type.js";

/** Something that code can call. */
export interface Entry {
  kind: "tool" | "capability";
  /** As people know it. */
  id: string;
  /** As discovery knows it, where that is another. */
  key?: string;
  /** How code reaches it, below `mcp` or `capabilities`. */
  path: string[];
  description: string;
  input?: unknown;
  output?: unknown;
}

const LONGEST_COMMENT = 300;
/** Kept free for saying what was left out. */
const ROOM_TO_SAY = 300;
const FRAME = { tool: "mcp", capability: "capabilities" } as const;

/** Declarations of as many as there is room for, each as full as there is room for; earlier ones first. */
export function fitEntries(entries: readonly Entry[], room: number): { text: string; leftOut: Entry[] } {
  const groups = { tool: new Map<string, string[]>(), capability: new Map<string, string[]>() };
  const leftOut: Entry[] = [];
  let left = room - ROOM_TO_SAY - LONGEST_FRAME;
  for (const entry of entries) {
    const group = entry.path.length > 1 ? (entry.path[0] as string) : "";
    const opened = groups[entry.kind].get(group);
    const opening = opened === undefined && group !== "" ? quoteName(group).length + OPEN_AND_CLOSE : 0;
    const line = [writeFull, writeBrief].map((write) => write(entry)).find((each) => each.length + opening + 1 <= left);
    if (line === undefined) {
      leftOut.push(entry);
      continue;
    }
    left -= line.length + opening + 1;
    groups[entry.kind].set(group, [...(opened ?? []), line]);
  }
  const parts = [writeFrame("tool", groups.tool), writeFrame("capability", groups.capability), sayLeftOut(leftOut)];
  return { text: parts.join(""), leftOut };
}

const OPEN_AND_CLOSE = "  : {\n  };\n".length;
const LONGEST_FRAME = 2 * "declare const capabilities: {\n};\n\n".length;

function writeFull(entry: Entry): string {
  const comment = writeComment(entry.description, LONGEST_COMMENT);
  const indent = indentOf(entry);
  const above = comment === "" ? "" : `${indent}/** ${comment} */\n`;
  const output = entry.output === undefined ? "unknown" : writeType(entry.output);
  return `${above}${indent}${nameOf(entry)}(${writeInput(entry.input)}): Promise<${output}>;`;
}

/** Without comment and result. */
function writeBrief(entry: Entry): string {
  return `${indentOf(entry)}${nameOf(entry)}(${writeInput(entry.input)}): Promise<unknown>;`;
}

function writeInput(schema: unknown): string {
  if (schema === undefined) return "args?: { [name: string]: unknown }";
  const { properties, required } = schema as { properties?: object; required?: unknown[] };
  if (properties !== undefined && Object.keys(properties).length === 0) return "";
  const needed = Array.isArray(required) && required.length > 0;
  return `args${needed ? "" : "?"}: ${writeType(schema)}`;
}

function nameOf({ path }: Entry): string {
  return quoteName(path.at(-1) ?? "");
}

function indentOf({ path }: Entry): string {
  return path.length > 1 ? "    " : "  ";
}

function writeFrame(kind: Entry["kind"], groups: ReadonlyMap<string, readonly string[]>): string {
  if (groups.size === 0) return "";
  const lines = [...groups].flatMap(([group, each]) =>
    group === "" ? each : [`  ${quoteName(group)}: {`, ...each, "  };"],
  );
  return `declare const ${FRAME[kind]}: {\n${lines.join("\n")}\n};\n\n`;
}

function sayLeftOut(leftOut: readonly Entry[]): string {
  if (leftOut.length === 0) return "";
  const shown: string[] = [];
  let left = ROOM_TO_SAY - 130;
  for (const { id } of leftOut) {
    const name = writeComment(id, 80);
    if (name.length + 2 > left) break;
    left -= name.length + 2;
    shown.push(name);
  }
  const more = leftOut.length - shown.length;
  const rest = more === 0 ? "" : shown.length === 0 ? `${more} in all` : ` and ${more} more`;
  return `// Left out for lack of room: ${shown.join(", ")}${rest}. Ask discover for them before you use them.\n`;
}
