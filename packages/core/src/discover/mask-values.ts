/** Longer texts are contents, not something a request names. */
const LONGEST = 200;

export interface MaskedIntent {
  text: string;
  /** The inputs whose values it named. */
  named: ReadonlySet<string>;
}

/**
 * An intent with the values that came with it replaced by their names: "rain in Oslo" with `city: "Oslo"` becomes "rain in
 * city". Two requests for the same with other values then differ in wording alone.
 */
export function maskValues(intent: string, inputs: Readonly<Record<string, unknown>>): MaskedIntent {
  const keys = new Map(
    Object.entries(inputs).flatMap(([key, value]) =>
      listTexts(value).map((text) => [text.toLowerCase(), key] as const),
    ),
  );
  const named = new Set<string>();
  if (keys.size === 0) return { text: intent, named };
  const longestFirst = [...keys.keys()].sort((a, b) => b.length - a.length);
  // One pass, so that a name that was put in is not taken for a value.
  const text = intent.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.map(escape).join("|")})(?![\\p{L}\\p{N}])`, "giu"),
    (found) => {
      const key = keys.get(found.toLowerCase()) ?? found;
      named.add(key);
      return sayName(key);
    },
  );
  return { text: text.trim() === "" ? intent : text, named };
}

function listTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => (Array.isArray(each) ? [] : listTexts(each)));
  if (typeof value === "number" && Number.isFinite(value)) return [String(value)];
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text.length > LONGEST ? [] : [text];
}

/** `orderId` and `order_id` are two words. */
function sayName(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
