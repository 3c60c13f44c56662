import type { Pml, PmlEvent } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open } = usePml();

const doThings = async (pml: Pml): Promise<void> => {
  await pml.execute({ intent: "read the settings", code: `return mcp.fs.read({ path: "a.json" })` });
  await pml.execute({ intent: "read the notes", code: `return (await mcp.fs.read({ path: "b.json" })).content` });
};

/** The first of its kind that happens from now on. */
const nextCurated = (pml: Pml): Promise<PmlEvent & { type: "curated" }> =>
  new Promise((resolve) => pml.events((event) => void (event.type === "curated" && resolve(event))));

describe("once enough has no name (AC3)", () => {
  it("whoever listens hears what it could be called, and nothing is changed", async () => {
    const pml = await open({ tools: createFileTools().tools, naming: { curation: { after: 2 } } });
    const curated = nextCurated(pml);
    await doThings(pml);
    const { suggestions, applied } = await curated;
    expect(suggestions.map(({ name }) => name).sort()).toEqual(["fs:read_notes", "fs:read_settings"]);
    expect(applied).toEqual([]);
    expect(await pml.names.listCapabilities({ namedOnly: true })).toEqual([]);
  });

  it("names are given where the host wants that, and whoever listens hears which", async () => {
    const naming = { curation: { after: 2, strategy: "auto" } } as const;
    const pml = await open({ tools: createFileTools().tools, naming });
    const curated = nextCurated(pml);
    await doThings(pml);
    expect((await curated).applied.map(({ name }) => name).sort()).toEqual(["fs:read_notes", "fs:read_settings"]);
    expect(await pml.execute({ capability: "fs:read_settings" })).toMatchObject({ status: "success" });
  });

  it("no run waits for the host's model, and closing the memory does", async () => {
    let asked = 0;
    const naming = {
      curation: { after: 2 },
      nameWith: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        asked++;
        return undefined;
      },
    };
    const pml = await open({ tools: createFileTools().tools, naming });
    await doThings(pml);
    expect(asked).toBe(0);
    await pml.close();
    expect(asked).toBe(2);
  });
});
