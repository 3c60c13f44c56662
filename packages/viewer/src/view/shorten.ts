/** No longer than `most`, and never half of a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A value as it was kept in a trace, as text to read. */
export function showValue(value: unknown, most: number): string | undefined {
  if (value === undefined) return undefined;
  // A long text is cut before it is escaped: what is cut off may be most of it.
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, most)) : toText(value);
  return shorten(text, most);
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value);
  } catch {
    return "This cannot be shown.";
  }
}
