import type { Permissions } from "@pml/sandbox";
import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { outcome, run } = useSandbox();
const call = () => "called";
const tools = [
  { id: "fs:read", annotations: { readOnlyHint: true }, call },
  { id: "fs:write", call },
  { id: "fs:erase", annotations: { destructiveHint: true }, call },
  { id: "fs:odd", annotations: { readOnlyHint: true, destructiveHint: true }, call },
  { id: "web:get", annotations: { readOnlyHint: true }, call },
];

describe("a permission set", () => {
  it.each<[name: string, permissions: Permissions, allowed: string[]]>([
    ["minimal lets code read", "minimal", ["fs:read", "web:get"]],
    ["standard lets code do all but destroy", "standard", ["fs:read", "fs:write", "web:get"]],
    ["privileged lets code do everything", "privileged", tools.map(({ id }) => id)],
    ["of one's own allows by id", { allow: ["fs:erase"] }, ["fs:erase"]],
    ["of one's own allows by server", { allow: ["fs:*"] }, ["fs:read", "fs:write", "fs:erase", "fs:odd"]],
    ["of one's own denies over what it allows", { allow: ["*"], deny: ["fs:*"] }, ["web:get"]],
    ["of one's own that allows nothing allows nothing", { allow: [] }, []],
  ])("%s", async (_, permissions, allowed) => {
    for (const { id } of tools) {
      const expected = allowed.includes(id) ? "called" : "SANDBOX_TOOL_DENIED";
      const code = `return mcp.${id.replace(":", ".")}()`;
      expect([id, await outcome(code, { tools, permissions })]).toEqual([id, expected]);
    }
  });

  it("is standard when nothing is said", async () => {
    expect(await outcome("return mcp.fs.erase()", { tools })).toBe("SANDBOX_TOOL_DENIED");
  });

  it.each<[name: string, permissions: unknown]>([
    ["that is not one", "everything"],
    ["with a pattern that is not one", { allow: ["fs"] }],
    ["without anything allowed", {}],
  ])("%s is an error", async (_, permissions) => {
    const request = { tools, permissions: permissions as Permissions };
    await expect(outcome("return 1", request)).rejects.toMatchObject({ code: "SANDBOX_INVALID_OPTIONS" });
  });

  it.each<[name: string, given: { code: string; permissions: Permissions }, expected: unknown]>([
    ["minimal has no clock", { code: "return Date.now()", permissions: "minimal" }, "SANDBOX_POWER_DENIED"],
    ["minimal has no new Date()", { code: "return new Date()", permissions: "minimal" }, "SANDBOX_POWER_DENIED"],
    ["minimal has no Date()", { code: "return Date()", permissions: "minimal" }, "SANDBOX_POWER_DENIED"],
    ["minimal has no random numbers", { code: "return Math.random()", permissions: "minimal" }, "SANDBOX_POWER_DENIED"],
    ["minimal has dates of its own making", { code: "return new Date(0).getTime()", permissions: "minimal" }, 0],
    [
      "standard has a clock",
      { code: "return Math.abs(Date.now() - new Date()) < 1000", permissions: "standard" },
      true,
    ],
    [
      "standard has random numbers",
      { code: "const n = Math.random(); return n >= 0 && n < 1", permissions: "standard" },
      true,
    ],
    [
      "one's own may leave the clock out",
      { code: "return Date.now()", permissions: { allow: [], clock: false } },
      "SANDBOX_POWER_DENIED",
    ],
  ])("%s", async (_, { code, permissions }, expected) => {
    expect(await outcome(code, { permissions })).toEqual(expected);
  });
});

describe("an unknown name", () => {
  it.each<[name: string, code: string, suggestions: string[]]>([
    ["a typing mistake", "return mcp.fs.raed()", ["fs:read"]],
    ["another case", "return mcp.FS.Read()", ["fs:read"]],
    ["the wrong server", "return mcp.files.read()", ["fs:read"]],
    ["nothing like it", "return mcp.database.query()", []],
    ["a tool that is there but not allowed", "return mcp.fs.eraze()", []],
  ])("gets near matches: %s", async (_, code, suggestions) => {
    const result = await run({ code, tools });
    expect(result).toMatchObject({ error: { code: "SANDBOX_TOOL_NOT_FOUND", details: { suggestions } } });
  });

  it("of a capability gets near matches", async () => {
    const result = await run({ code: "return capabilities.fs.reed()", capabilities: { "fs:read": { code: "" } } });
    expect(result).toMatchObject({ error: { message: expect.stringContaining('Did you mean "fs:read"?') } });
  });

  it("gets none any more once it has missed often: comparing names takes the host's time", async () => {
    const code = `const told = [];
      for (let i = 0; i < 30; i++) await mcp.fs.reed().catch(({ details }) => told.push(details.suggestions.length > 0));
      return [told[0], told.at(-1)]`;
    expect(await outcome(code, { tools })).toEqual([true, false]);
  });
});
