import { readFile } from "node:fs/promises";

import { CliError } from "../error.js";
import type { Terminal } from "../terminal.js";

export interface GivenArguments {
  /** `name=value`, each. */
  arg?: readonly string[];
  /** JSON, `@file`, or `-` for standard input. */
  args?: string;
}

/** Arguments for a capability: those of `--args`, and over them each `--arg`, read as its parameter's type asks for. */
export async function readArguments(
  { arg = [], args }: GivenArguments,
  { parameters, terminal }: { parameters: unknown; terminal: Terminal },
): Promise<Record<string, unknown>> {
  const whole = args === undefined ? {} : parseObject(await readText(args, terminal));
  return { ...whole, ...Object.fromEntries(arg.map((each) => parsePair(each, parameters))) };
}

async function readText(given: string, terminal: Terminal): Promise<string> {
  if (given === "-") return terminal.readInput();
  if (!given.startsWith("@")) return given;
  const file = given.slice(1);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const message = `${file} cannot be read: ${(error as Error).message}`;
    throw new CliError("CLI_UNREADABLE", message, { cause: error, details: { file } });
  }
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CliError("CLI_INVALID_ARGUMENT", `--args takes a JSON object, as '{"path":"a.json"}'.`);
}

function parsePair(text: string, parameters: unknown): [string, unknown] {
  const at = text.indexOf("=");
  if (at < 1) throw new CliError("CLI_INVALID_ARGUMENT", `--arg takes name=value, not "${text.slice(0, 100)}".`);
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (typeOf(parameters, name) === "string") return [name, value];
  const parsed = parseJson(value);
  return [name, parsed === undefined ? value : parsed];
}

function typeOf(parameters: unknown, name: string): unknown {
  const { properties } = (parameters ?? {}) as { properties?: Record<string, { type?: unknown }> };
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
