import { Refusal } from "./problem.js";

type Reader<T> = (text: string) => T | undefined;

/** Reads one kind of parameter; undefined for text that is none. */
export const asText: Reader<string> = (text) => (text === "" ? undefined : text);
export const asFlag: Reader<boolean> = (text) => (text === "true" ? true : text === "false" ? false : undefined);
export const asCount: Reader<number> = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
export const asShare: Reader<number> = (text) =>
  /^\d(?:\.\d{1,17})?$/.test(text) && Number(text) <= 1 ? Number(text) : undefined;
export const asOneOf =
  <T extends string>(values: readonly T[]): Reader<T> =>
  (text) =>
    values.find((value) => value === text);

/** The parameters that a table names. One that is unknown, given twice or unreadable is refused, never passed over. */
export function readQuery<T extends Record<string, Reader<unknown>>>(
  url: URL,
  readers: T,
): { [K in keyof T]?: NonNullable<ReturnType<T[K]>> } {
  const read: Record<string, unknown> = {};
  for (const [name, text] of url.searchParams) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (reader === undefined)
      throw refuse(name, `is no parameter here. Parameters are ${Object.keys(readers).join(", ")}.`);
    if (name in read) throw refuse(name, "is given twice.");
    const value = reader(text);
    if (value === undefined) throw refuse(name, `cannot be "${text.slice(0, 100)}".`);
    read[name] = value;
  }
  return read as { [K in keyof T]?: NonNullable<ReturnType<T[K]>> };
}

function refuse(name: string, what: string): Refusal {
  return new Refusal(422, "HTTP_INVALID_QUERY", { detail: `"${name.slice(0, 100)}" ${what}` });
}
