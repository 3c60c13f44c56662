/** A name as its words, in lower case: `apiKey`, `API_KEY` and `x-api-key` all end in `api key`. */
function listNameWords(name: string): string[] {
  // The end of a name says what it is. A longer one is no name.
  const end = name.slice(-LONGEST_NAME);
  return end
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

const LONGEST_NAME = 200;

const SECRET = words(
  "password passwords passwd pwd passphrase passcode secret secrets authorization cookie cookies credential credentials apikey apikeys authtoken accesstoken otp cvv cvc",
);
const KEY_OF = words(
  "api access auth private secret client signing encryption master session bearer deploy ssh license service account shared",
);
const KEYS = words("key keys pem");
const TOKENS = words("token tokens");
/** Tokens that say where one is, or how many there are, and let nobody in. */
const HARMLESS_TOKEN = words(
  "next page pagination continuation continue cursor sync resume start end previous prev max min total num count prompt completion input output limit stop",
);

/** Whether what stands under a name is a secret, by the name alone. */
export function isSecretName(name: string): boolean {
  const parts = listNameWords(name);
  const [last = "", before = ""] = [parts.at(-1), parts.at(-2)];
  if (SECRET.has(last)) return true;
  if (KEYS.has(last)) return KEY_OF.has(before) || (last === "pem" && before === "key");
  return TOKENS.has(last) && !parts.some((word) => HARMLESS_TOKEN.has(word));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
