/** Words that say how something is asked, not what; they would only tell candidates apart by chance. */
const STOP_WORDS = new Set(
  (
    "a an the and or but if then of in on at to for from by with about as is are was were be been am do does did can " +
    "could would should will shall may might must i me my mine you your yours he she it its we us our they them their " +
    "this that these those what which who whom how when where why there here please want need like have has had get " +
    "some any so just also not no than too very into up out over help let know tell give"
  ).split(" "),
);

/** The words of a text or a name, lower case, without endings: `getHTTPStatus_codes` → get, http, status, code. */
export function listWords(text: string): string[] {
  const spaced = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const found = spaced
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/\p{L}+|\p{N}+/gu);
  return (found ?? []).map(stem);
}

export function listContentWords(text: string): string[] {
  const words = listWords(text);
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return content.length > 0 ? content : words;
}

/**
 * Takes off the commonest English endings: plural, `-ing`, `-ed`. Deliberately less than Porter's: names of tools are
 * short, and two that fall together cannot be told apart again.
 */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && /[^su]s$/.test(word)) return word.slice(0, -1);
  if (word.length > 5 && word.endsWith("ing")) return undouble(word.slice(0, -3));
  if (word.length > 4 && word.endsWith("ed")) return undouble(word.slice(0, -2));
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
