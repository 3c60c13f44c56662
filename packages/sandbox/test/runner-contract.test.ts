import { createProcessRunner, createWorkerRunner } from "@pml/sandbox";
import { runnerContract } from "@pml/sandbox/testing";
import { describe, expect, it } from "vitest";

const POOL = { size: 2, warm: 1, maxRuns: 200 };

describe.each([
  ["process", createProcessRunner],
  ["worker", createWorkerRunner],
])("the %s runner", (_, createRunner) => {
  it.each(runnerContract)("$name", async ({ verify }) => {
    await expect(verify(({ memoryMb }) => createRunner({ pool: POOL, memoryMb }))).resolves.toBeUndefined();
  });
});
