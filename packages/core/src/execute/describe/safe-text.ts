/** Controls, and marks that turn the direction of text around: what a person would not see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu;

/**
 * Text of a stranger on one line of a comment: it can neither end the comment, nor the block of code around it, nor start
 * a line that reads as ours.
 */
export function writeComment(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 4)
    .replace(UNSEEN, " ")
    .replace(/\s+/g, " ")
    .replaceAll("*/", "* /")
    .replace(/`{3,}|~{3,}/g, "'''")
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trimEnd()}…`;
}

/** A name as it can stand in a declaration. */
export function quoteName(name: string): string {
  return /^[A-Za-z_$][\w$]{0,100}$/.test(name) ? name : quote(name);
}

/** As JSON, and without what would end a block of code in the prompt. */
export function quote(text: string): string {
  return JSON.stringify(text)
    .replace(UNSEEN, (found) => [...found].map((each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`).join(""))
    .replace(/`{3,}|~{3,}/g, (found) => found.replace(/./g, (each) => `\\u{${each.charCodeAt(0).toString(16)}}`))
    .replaceAll("*/", "*\\/");
}
