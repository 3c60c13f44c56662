import { Refusal } from "./problem.js";

/** The JSON object in a body, no larger than it may be, whatever its headers say. */
export async function readJsonObject(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type))
    throw new Refusal(415, "HTTP_UNSUPPORTED_MEDIA_TYPE", { detail: "Send application/json." });
  const body = parse(await readText(request, maxBytes));
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal(422, "HTTP_INVALID_BODY", { detail: "The body must be a JSON object." });
  return body as Record<string, unknown>;
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, bytes] = ["", 0];
  if (request.body === null) return text;
  // A length can be missing or a lie: what counts is what comes. Leaving the loop cancels the rest.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    text += decode(() => decoder.decode(chunk, { stream: true }));
  }
  return text + decode(() => decoder.decode());
}

function decode(read: () => string): string {
  try {
    return read();
  } catch {
    throw malformed("The body is not UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw malformed(`The body is not JSON: ${(error as Error).message}`);
  }
}

function malformed(detail: string): Refusal {
  return new Refusal(400, "HTTP_MALFORMED_JSON", { detail: detail.slice(0, 200) });
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, "HTTP_BODY_TOO_LARGE", { detail: `The body is over ${maxBytes} bytes.` });
}
