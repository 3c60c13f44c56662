import { randomUUID } from "node:crypto";

import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open } = usePml();
const CODE = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

describe("a memory that is opened to be looked at", () => {
  it("finds the tools of the last time, calls none of them, and does not say that they are gone", async () => {
    const scope = { project: randomUUID() };
    const host = await open({ scope, tools: createFileTools().tools });
    await host.capabilities.create({ intent: "read the name in a file", code: CODE, name: "fs:read_name" });
    const looking = await open({ scope, tools: "stored" });
    const { results } = await looking.discover({ intent: "read a file as text" });
    expect(results.map(({ id }) => id)).toContain("fs:read");
    expect(results).toContainEqual(expect.objectContaining({ name: "fs:read_name", status: "active" }));
    expect(await looking.execute({ capability: "fs:read_name" })).toMatchObject({
      status: "error",
      error: { code: "PML_CAPABILITY_DEGRADED", details: { tools: ["fs:read"] } },
    });
    expect((await host.store.listTools()).every(({ available }) => available)).toBe(true);
  });

  it("calls those that it is given later, and leaves the others as they are", async () => {
    const scope = { project: randomUUID() };
    const { tools } = createFileTools();
    const host = await open({ scope, tools });
    await host.capabilities.create({ intent: "read the name in a file", code: CODE, name: "fs:read_name" });
    const looking = await open({ scope, tools: "stored" });
    await looking.tools.add(...tools.filter(({ id }) => id === "fs:read"));
    expect(await looking.execute({ capability: "fs:read_name" })).toMatchObject({ status: "success", result: "a" });
    expect((await host.store.listTools()).every(({ available }) => available)).toBe(true);
  });
});
