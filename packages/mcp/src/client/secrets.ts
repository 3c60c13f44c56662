import type { McpServerConfig } from "./server-config.js";

/** Takes the secrets of one server out of a value. */
export type Conceal = <T>(value: T) => T;

const CONCEALED = "[redacted]";

const SECRET_NAME =
  /key|token|secret|passw|passphrase|credential|auth|cookie|session|private|dsn|database_url|conn|_pat$/i;
/** Shorter ones would take words out of every text. */
const SHORTEST = 4;
const DEEPEST = 100;

/** Values of the configuration that must not be seen again: variables whose name says so, and every header. */
export function listSecrets(config: McpServerConfig): string[] {
  const named = new Set(config.secrets);
  const env = "env" in config ? Object.entries(config.env ?? {}) : [];
  const headers = "headers" in config ? Object.entries(config.headers ?? {}) : [];
  const userInfo = "url" in config ? [new URL(config.url).password, ...new URL(config.url).searchParams.values()] : [];
  return [
    ...env.filter(([name]) => SECRET_NAME.test(name) || named.has(name)).map(([, value]) => value),
    ...headers
      .filter(([name]) => !/^(?:accept|content-type|user-agent)$/i.test(name))
      .flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]),
    ...userInfo,
  ].filter((secret) => secret.length >= SHORTEST);
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
