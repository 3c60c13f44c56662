import { expect, it } from "vitest";

import { createRunSignals } from "./signals.js";

it("a run's signal aborts with the caller's, and with its reason", () => {
  const caller = new AbortController();
  const { signal } = createRunSignals(new AbortController().signal)(caller.signal);
  caller.abort("enough");
  expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
});

it("a run's signal aborts when the sandbox closes", () => {
  const closing = new AbortController();
  const { signal } = createRunSignals(closing.signal)(new AbortController().signal);
  closing.abort();
  expect(signal.aborted).toBe(true);
});

it("a run's signal has aborted if the caller's had", () => {
  const { signal } = createRunSignals(new AbortController().signal)(AbortSignal.abort("before"));
  expect(signal.reason).toBe("before");
});

it("a run that is over hears no more", () => {
  const caller = new AbortController();
  const { signal, release } = createRunSignals(new AbortController().signal)(caller.signal);
  release();
  caller.abort();
  expect(signal.aborted).toBe(false);
});

it("runs by the hundred may share a signal, and Node warns nobody", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  const follow = createRunSignals(new AbortController().signal);
  const caller = new AbortController();
  const followers = Array.from({ length: 100 }, () => follow(caller.signal));
  await new Promise((done) => setImmediate(done));
  process.off("warning", note);
  caller.abort();
  expect([warnings, followers.every(({ signal }) => signal.aborted)]).toEqual([[], true]);
});
