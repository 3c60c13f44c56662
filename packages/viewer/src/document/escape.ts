const IN_SCRIPT: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** JSON that cannot end the element it stands in, open a comment, or break a line of script. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => IN_SCRIPT[character] ?? character);
}

const IN_TEXT: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text between tags, or within quotes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => IN_TEXT[character] ?? character);
}
