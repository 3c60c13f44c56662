/** Values of these are somebody else's: schemas, arguments, results. Their keys are not ours to spell. */
const FOREIGN: ReadonlySet<string> = new Set(
  "args arguments cases context defaultArgs details examples inputSchema outputSchema parameters result value".split(
    " ",
  ),
);
/** Keyed by ids. */
const KEYED: ReadonlySet<string> = new Set(["toolSchemas"]);

/** As it goes over the wire: keys in snake_case, dates as text, nothing undefined. */
export function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([key, each]) => [toSnake(key), FOREIGN.has(key) ? each : KEYED.has(key) ? mapKeyed(each) : toWire(each)]),
  );
}

/** The way back, for what a caller sends in our shape. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [toCamel(key), FOREIGN.has(toCamel(key)) ? each : fromWire(each)]),
  );
}

function mapKeyed(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, toWire(each)]));
}

function toSnake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toCamel(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
