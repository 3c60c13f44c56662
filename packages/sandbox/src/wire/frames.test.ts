import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createFrameReader } from "./frames.js";
import { createOutbox } from "./outbox.js";

describe("lines", () => {
  it("come out as they went in, however the stream is cut", () => {
    const line = fc.string().map((text) => text.replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(20)), (lines, cuts) => {
        const read: string[] = [];
        const reader = createFrameReader({ onFrame: (frame) => void read.push(frame), onOverflow: () => {} }, 1e6);
        let rest = lines.map((each) => `${each}\n`).join("");
        for (const cut of cuts) {
          reader.read(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        reader.read(rest);
        expect(read).toEqual(lines);
      }),
    );
  });

  it("that are too long end the reading, once", () => {
    const seen: string[] = [];
    const reader = createFrameReader(
      { onFrame: (frame) => void seen.push(frame), onOverflow: () => void seen.push("overflow") },
      5,
    );
    for (const chunk of ["abc\n", "abcdef", "ghi\n", "abc\n"]) reader.read(chunk);
    expect(seen).toEqual(["abc", "overflow"]);
  });
});

describe("an outbox", () => {
  it("writes what is put together in one go, in order", () => {
    const writes: string[] = [];
    const scheduled: (() => void)[] = [];
    const outbox = createOutbox(
      (text) => void writes.push(text),
      (flush) => void scheduled.push(flush),
    );
    outbox.put("a");
    outbox.put("b");
    expect(writes).toEqual([]);
    for (const flush of scheduled) flush();
    expect(writes).toEqual(["a\nb\n"]);
  });

  it("can be emptied at once, and then has nothing left to write", () => {
    const writes: string[] = [];
    const scheduled: (() => void)[] = [];
    const outbox = createOutbox(
      (text) => void writes.push(text),
      (flush) => void scheduled.push(flush),
    );
    outbox.put("a");
    outbox.flush();
    for (const flush of scheduled) flush();
    expect(writes).toEqual(["a\n"]);
  });
});
