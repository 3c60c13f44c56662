import { describe, expect, it } from "vitest";

import { finishInTurns } from "./in-turns.js";
import { LearnedPast, type Past } from "./learned-past.js";

/** A past that somebody else changes, and how often something was made of it. */
function createWorld(isQuick = true) {
  const past = new LearnedPast<string>();
  let now: Past = { requests: 0, removals: 0 };
  let made = 0;
  const follow = (make: () => Promise<string> = async () => `made of ${now.requests}`) =>
    past.follow(now, {
      make: () => (made++, make()),
      countRemovals: () => now.removals,
      isQuick,
      onError: () => {},
    });
  return { follow, change: (to: Partial<Past>) => (now = { ...now, ...to }), count: () => made };
}

describe("what was learned from the past", () => {
  it("is made anew when there is a tenth more, and not before", async () => {
    const { follow, change, count } = createWorld();
    for (let requests = 1; requests <= 100; requests++) {
      change({ requests });
      const madeOf = Number((await follow())?.slice("made of ".length));
      expect(requests).toBeLessThanOrEqual(Math.max(madeOf, 1.1 * madeOf));
    }
    expect(count()).toBeLessThan(40);
  });

  it.each([
    ["taken back", { removals: 1 }],
    ["gone, without anybody having said so", { requests: 99 }],
  ])("is dropped at once when something of it is %s", async (_, change) => {
    const world = createWorld();
    world.change({ requests: 100 });
    await world.follow();
    world.change(change);
    expect(await world.follow(fail)).toBeUndefined();
  });

  it("is not what it was made of while something was taken back", async () => {
    const { follow, change } = createWorld();
    change({ requests: 100 });
    const late = follow(async () => {
      change({ removals: 1 });
      return "made of what is gone";
    });
    expect(await late).toBeUndefined();
    expect(await follow()).toBe("made of 100");
  });

  it("is not waited for when that takes long: the one before answers", async () => {
    const { follow, change } = createWorld(false);
    change({ requests: 10 });
    expect(await follow()).toBeUndefined();
    await nextTurn();
    expect(await follow()).toBe("made of 10");
    change({ requests: 20 });
    expect(await follow()).toBe("made of 10");
    await nextTurn();
    expect(await follow()).toBe("made of 20");
  });

  it("is made once for all who ask at the same time, and is not tried again until there is more", async () => {
    const { follow, change, count } = createWorld();
    change({ requests: 10 });
    expect(await Promise.all([follow(fail), follow(fail), follow(fail)])).toEqual([undefined, undefined, undefined]);
    await follow();
    expect(count()).toBe(1);
    change({ requests: 12 });
    expect(await follow()).toBe("made of 12");
  });
});

describe("work in turns", () => {
  it("lets others go on before it is done", async () => {
    let isDone = false;
    const all = finishInTurns(work(), new AbortController().signal).finally(() => (isDone = true));
    await nextTurn();
    expect(isDone).toBe(false);
    expect(await all).toBe("done");
  });

  it("ends when nobody waits for it any more", async () => {
    const ending = new AbortController();
    const all = finishInTurns(work(), ending.signal);
    ending.abort(new Error("closed"));
    await expect(all).rejects.toThrow("closed");
  });
});

function* work(): Generator<undefined, string> {
  for (let step = 0; step < 20; step++) {
    const until = performance.now() + 2;
    while (performance.now() < until);
    yield;
  }
  return "done";
}

function fail(): Promise<never> {
  return Promise.reject(new Error("no"));
}

function nextTurn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
