/** Data for `--json`: names in snake_case, what is not there as null. */
export function toSnakeCase(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), toSnakeCase(each)]));
}

function rename(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
