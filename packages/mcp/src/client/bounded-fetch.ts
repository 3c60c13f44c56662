import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from "@modelcontextprotocol/client";

/** As over standard input and output. */
const LARGEST_MESSAGE = STDIO_DEFAULT_MAX_BUFFER_SIZE;

/** `fetch`, whose answers end with an error once one message in them is too large: a server must not fill the host's memory. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const bounded = response.body.pipeThrough(boundMessages(isStream, LARGEST_MESSAGE));
  return new Response(bounded, response);
}

/** A stream of events may go on for ever; what has an end is the event. */
export function boundMessages(isStream: boolean, largest: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? endOfLastLine(chunk) : -1;
      size = end === -1 ? size + chunk.length : chunk.length - end;
      if (size > largest) controller.error(new Error(`A message of the server is over ${largest} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}

/** Events are made of lines, and each message is in one of them. */
function endOfLastLine(chunk: Uint8Array): number {
  return chunk.lastIndexOf(10);
}
