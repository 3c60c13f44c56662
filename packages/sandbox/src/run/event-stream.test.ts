import { describe, expect, it } from "vitest";

import { createEventStream } from "./event-stream.js";

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of stream) seen.push(event);
  return seen;
}

describe("a stream", () => {
  it("gives what was put before, during and after the reader came, in order", async () => {
    const stream = createEventStream<number>();
    stream.put(1);
    const reading = collect(stream);
    stream.put(2);
    await new Promise((done) => setTimeout(done));
    stream.put(3);
    stream.end();
    expect(await reading).toEqual([1, 2, 3]);
  });

  it("takes nothing after its end", async () => {
    const stream = createEventStream<number>();
    stream.end();
    stream.put(1);
    expect(await collect(stream)).toEqual([]);
  });

  it("keeps nothing for a reader who has left", async () => {
    const stream = createEventStream<number>();
    stream.put(1);
    for await (const event of stream) if (event === 1) break;
    stream.put(2);
    stream.end();
    expect(await collect(stream)).toEqual([]);
  });
});
