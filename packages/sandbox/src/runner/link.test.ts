import { expect, it } from "vitest";

import { startSafely } from "./link.js";

it("a child that cannot be started is one that is gone, not an error of its host", async () => {
  const start = startSafely(() => {
    throw new Error("spawn ENOMEM");
  });
  const link = start(64);
  await expect(link.ready).rejects.toThrow("spawn ENOMEM");
  await expect(link.gone).resolves.toBeUndefined();
});
