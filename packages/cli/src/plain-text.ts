// What a memory holds was written by models and tools. On a screen, an escape sequence in it could move the cursor,
// change the title or write over what stands there; a mark of direction could make it read as something else.
const CONTROL = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu;

/** Text that does nothing but be read; lines and tabs stay. */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROL, "\u{fffd}");
}

/** On one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s+/gu, " ").trim());
}

/** JSON that reads back as it was, without a character that a screen might obey. */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2) ?? "null";
  return text.replace(CONTROL, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
