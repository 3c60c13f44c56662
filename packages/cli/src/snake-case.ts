/** Data for `--json`: names in snake_case, what is not there as null. */
export function toSnakeCase(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  const rename = (name: string): string => name.replace(/\p{Lu}/gu, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), toSnakeCase(each)]));
}
