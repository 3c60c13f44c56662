import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from "./server-config.js";
import { listVariables, type Variables } from "./variables.js";

/** Takes secrets out of a value. */
export type Conceal = <T>(value: T) => T;

const CONCEALED = "[redacted]";

const SECRET_NAME =
  /key|token|secret|passw|passphrase|credential|auth|cookie|session|private|dsn|database_url|conn|_pat$/i;
/** Shorter ones would take words out of every text. */
const SHORTEST = 4;
/** The password of one server may be a plain word in what another says. */
const SHORTEST_ELSEWHERE = 12;
const DEEPEST = 100;

/** Values of a server's configuration that must not be seen again, wherever in it they stand. */
export function listSecrets(config: McpServerConfig, { given, variables }: Origin = {}): string[] {
  const found = [
    ...("url" in config ? listFromHttp(config) : []),
    ...("command" in config ? listFromStdio(config) : []),
    ...listFromVariables(given, variables ?? {}),
  ];
  return [...new Set(found)].filter((secret) => secret.length >= SHORTEST);
}

/** Where a configuration comes from: as it was written, and what its variables stand for. */
interface Origin {
  given?: unknown;
  variables?: Variables;
}

/** Every header, and what an address has before its host and in its query. */
function listFromHttp({ url, headers = {} }: HttpServerConfig): string[] {
  const secret = Object.entries(headers).filter(([name]) => !/^(?:accept|content-type|user-agent)$/i.test(name));
  const values = secret.flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]);
  return [...values, ...readPassword(url), ...new URL(url).searchParams.values()];
}

/** Variables and arguments whose name says so, and passwords in addresses. */
function listFromStdio({ env = {}, args = [], secrets = [] }: StdioServerConfig): string[] {
  const named = Object.entries(env).filter(([name]) => SECRET_NAME.test(name) || secrets.includes(name));
  const passwords = [...Object.values(env), ...args].flatMap(readPassword);
  return [...named.map(([, value]) => value), ...passwords, ...args.flatMap((_, at) => readArgument(args, at))];
}

/** `--api-key=…`, and `--api-key …`. */
function readArgument(args: readonly string[], at: number): string[] {
  const [, name = "", value = args[at + 1] ?? ""] = /^--?([\w-]+)(?:=(.*))?$/s.exec(args[at] ?? "") ?? [];
  return SECRET_NAME.test(name) && !value.startsWith("-") ? [value] : [];
}

function readPassword(text: string): string[] {
  const password = URL.canParse(text) ? new URL(text).password : "";
  return password === "" ? [] : [password, decodeURIComponent(password)];
}

/** A token may stand in the middle of an argument, where nothing says what it is but the name of its variable. */
function listFromVariables(given: unknown, variables: Variables): string[] {
  const { command, args, cwd, url } = (given ?? {}) as Record<string, unknown>;
  const texts = [command, args, cwd, url].flat().filter((each) => typeof each === "string");
  const names = texts.flatMap(listVariables).filter((name) => SECRET_NAME.test(name));
  return names.flatMap((name) => variables[name] ?? []);
}

/** Those of one server, and of the others what cannot be a plain word of this one. */
export function joinSecrets(own: readonly string[], others: readonly string[]): string[] {
  return [...own, ...others.filter((secret) => secret.length >= SHORTEST_ELSEWHERE)];
}

/** What a server sends back may hold what it was given: a tool that shows its environment, an error with its address. */
export function createConceal(secrets: readonly string[]): Conceal {
  const spellings = [...new Set(secrets.flatMap(spell))].sort((a, b) => b.length - a.length);
  if (spellings.length === 0) return (value) => value;
  const hide = (text: string): string => spellings.reduce((left, each) => left.replaceAll(each, CONCEALED), text);

  function conceal(value: unknown, depth: number): unknown {
    if (typeof value === "string") return hide(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return CONCEALED;
    if (Array.isArray(value)) return value.map((item) => conceal(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), conceal(item, depth + 1)]));
  }
  return (value) => conceal(value, 0) as typeof value;
}

/** As it is, inside of JSON, inside of an address, and in base64. */
function spell(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64];
}
