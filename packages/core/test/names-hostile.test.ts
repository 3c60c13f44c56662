import type { Bundle, Names, RecordQuery, TagChanges } from "@pml/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { signCapability } from "../src/model/signature.js";
import { packBundle, type PackageContent } from "../src/names/bundle.js";
import { createWorld, describe as read, type World } from "./names-world.js";

let world: World;
let names: Names;
beforeAll(async () => {
  world = await createWorld();
  names = world.names;
  const id = await world.learn("return mcp.fs.read({ path: 'a' });", { intent: "read a" });
  await names.assign({ capabilityId: id, name: "fs:read_json" });
});
afterAll(() => world.close());

const LONG = "a".repeat(10_000);

describe("a name that nobody should ask for", () => {
  it.each<[string, unknown, string]>([
    ["of every object", "__proto__", "PML_NAME_INVALID"],
    ["of every object, in form", "__proto__:read_json", "PML_NAME_INVALID"],
    ["as long as a page", LONG, "PML_NAME_INVALID"],
    ["as long as a page, in form", `fs:read_${LONG}`, "PML_NAME_INVALID"],
    ["of a home as long as a page", `${LONG}.b:fs:read_json`, "PML_NAME_INVALID"],
    ["of a home with a NUL", "a\0.b:fs:read_json", "PML_NAME_INVALID"],
    ["of a home with an escaped NUL", "a%00.b:fs:read_json", "PML_NAME_INVALID"],
    ["of a home that is no text", "\ud800.b:fs:read_json", "PML_NAME_INVALID"],
    ["in full, with a NUL", "a%00.b.fs.read_json.abcd", "PML_NAME_INVALID"],
    ["in full, with an action as long as a page", `a.b.fs.${LONG}.abcd`, "PML_NOT_FOUND"],
    ["that is a query", "fs:read_json' or 1=1 --", "PML_NAME_INVALID"],
    ["of a version as long as a page", `fs:read_json@v${"1".repeat(10_000)}`, "PML_NAME_INVALID"],
    ["that is no text", { toString: 1 }, "PML_NAME_INVALID"],
    ["that is nothing", undefined, "PML_NAME_INVALID"],
  ])("%s is refused in a line, wherever it is asked for", async (_, name, code) => {
    const asked = name as string;
    for (const ask of [
      () => names.resolve(asked),
      () => names.lookup(asked),
      () => names.whois(asked),
      () => names.history(asked),
      () => names.remove(asked),
      () => names.resolveCapabilities([asked]),
    ]) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code });
      expect((error as Error).message.length).toBeLessThan(500);
    }
  });
});

describe("a query that nobody should send", () => {
  it.each<[string, object]>([
    ["tags that are no list", { tags: "x" }],
    ["a tag that is no text", { tags: [null] }],
    ["a tag with a NUL", { tags: ["a\0b"] }],
    ["a visibility there is not", { visibility: "everyone" }],
    ["a flag that is none", { verified: "maybe" }],
    ["a count that is none", { minUsage: "many" }],
    ["half a count", { minUsage: 1.5 }],
    ["a count larger than any", { minUsage: 1e12 }],
    ["a rate that is none", { minSuccessRate: Number.NaN }],
    ["a rate above all", { minSuccessRate: 1.1 }],
    ["a date that is none", { createdAfter: new Date(Number.NaN) }],
    ["a text for a date", { createdBefore: "yesterday" }],
    ["a glob with a NUL", { name: "a\0*" }],
    ["a glob as long as a page", { name: "*a".repeat(5000) }],
    ["half a row", { limit: 1.5 }],
    ["more rows than there can be", { limit: 1e9 }],
    ["an order of every object", { sortBy: "constructor" }],
  ])("%s is refused", async (_, query) => {
    await expect(names.query(query as RecordQuery)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
  });

  it.each(["*a".repeat(249), "*?a".repeat(160), `${"a*".repeat(200)}b`])(
    "a glob that could be matched in many ways finds nothing, and is done: %s",
    async (name) => {
      const long = `fs:read_${"a".repeat(59)}`;
      await names.assign({ capabilityId: await world.learn(`return ${name.length}`), name: long }).catch(() => {});
      expect(await names.query({ name: `${name}b` })).toEqual([]);
    },
  );

  it.each<[string, object]>([
    ["tags that are no list", { tags: 7 }],
    ["a version's tag that is no text", { versionTag: 7 }],
    ["a visibility there is not", { visibility: "everyone" }],
    ["what is shared as private", { visibility: "private" }],
  ])("%s cannot be a tag", async (_, changes) => {
    const tagging = names.tag("fs:read_json", changes as TagChanges);
    await expect(tagging).rejects.toMatchObject({ code: expect.stringMatching(/^PML_(INVALID_INPUT|NAME_INVALID)$/) });
    expect(await names.lookup("fs:read_json")).toMatchObject({ tags: [], visibility: "project" });
  });
});

describe("a bundle that nobody should send", () => {
  it.each<[string, object]>([
    ["a name that is no text", { name: { toString: 1 } }],
    ["a tag that is no text", { tags: [{ toString: 1 }] }],
    ["a version's tag that is no text", { versionTag: 7 }],
  ])("with %s is refused whole", async (_, content) => {
    await expect(names.importBundle(pack(content))).rejects.toMatchObject({ code: "PML_BUNDLE_INVALID" });
  });

  it("that is nested deeper than anything is refused whole", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const bundle = pack({});
    const packages = bundle.packages.map((each) => ({ ...each, content: { ...each.content, samples: [deep] } }));
    await expect(names.importBundle({ ...bundle, packages })).rejects.toMatchObject({ code: "PML_BUNDLE_INVALID" });
  });

  it.each<[string, object, object]>([
    ["settings of a cache that are none", {}, { cacheConfig: { invalidateOn: 7 } }],
    ["no settings of a cache", {}, { cacheConfig: null }],
    ["a run that is none", { samples: [null] }, {}],
    ["an intent that is none", {}, { intent: 7 }],
  ])("with %s has its package refused, and nothing is stored of it", async (_, content, capability) => {
    const before = await world.store.count();
    const report = await names.importBundle(pack(content, capability));
    expect(report).toMatchObject({ imported: [], refused: [{ reason: expect.any(String) }] });
    expect(await world.store.count()).toBe(before);
  });

  it("that lies about the tools it calls is found out", async () => {
    await using to = await createWorld();
    const report = await to.names.importBundle(pack({}, { toolsUsed: ["harmless:tool"] }));
    expect(report).toMatchObject({ imported: [{ verified: false }], missingTools: ["fs:list"] });
  });
});

/** A bundle of one package, signed and addressed as whoever forges one would. */
function pack(content: object, capability: object = {}): Bundle {
  const claimed = { ...read("return mcp.fs.list({ path: '.' });"), intent: "list it", ...capability };
  const whole = { signature: signCapability(claimed), tags: [], tools: [], samples: [], ...content };
  return packBundle([{ ...whole, capability: claimed } as unknown as PackageContent]);
}
