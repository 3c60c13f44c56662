import { describe, expect, it } from "vitest";

import { boundMessages } from "./bounded-fetch.js";

async function read(isStream: boolean, chunks: readonly string[]): Promise<string> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return new Response(source.pipeThrough(boundMessages(isStream, 10))).text();
}

describe("what a server sends over HTTP", () => {
  it.each<[string, boolean, string[]]>([
    ["a body that is small", false, ["12345", "67890"]],
    ["events that are small, however many", true, Array.from({ length: 100 }, () => "data: 1\n\n")],
    ["an event in pieces", true, ["data: 1", "\n", "\ndata: 2", "\n\n"]],
  ])("comes through: %s", async (_, isStream, chunks) => {
    expect(await read(isStream, chunks)).toBe(chunks.join(""));
  });

  it.each<[string, boolean, string[]]>([
    ["a body", false, ["12345\n", "67890"]],
    ["an event", true, ["data: 1\n", "data: 2345", "6"]],
  ])("ends with an error: %s that is too large", async (_, isStream, chunks) => {
    await expect(read(isStream, chunks)).rejects.toThrow("over 10 bytes");
  });
});
