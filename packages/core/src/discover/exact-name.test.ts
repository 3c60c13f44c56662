import { describe, expect, it } from "vitest";

import { listExactNames } from "./exact-name.js";

describe("a name", () => {
  it.each([
    ["fs:read", ["fs:read"]],
    [" FS:Read ", ["fs:read"]],
    ["mcp.fs.read", ["mcp.fs.read", "fs:read"]],
    ["capabilities.fs.read_json", ["capabilities.fs.read_json", "fs:read_json"]],
    ["fs.read", ["fs.read", "fs:read"]],
    ["cap:fs:read_json", ["cap:fs:read_json", "fs:read_json"]],
    ["cap:x", ["cap:x"]],
    ["read the file a.json", ["read the file a.json"]],
  ])("written as %j may be %j", (text, names) => {
    expect(listExactNames(text)).toEqual(names);
  });
});
