import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readCapabilityTool, toCapabilityTool } from "./cap-names.js";

const namespace = fc.stringMatching(/^[a-z][a-z0-9]{0,31}$/);
const action = fc.stringMatching(/^[a-z][a-z0-9]{0,20}(_[a-z0-9]{1,12}){1,3}$/);
const displayName = fc.tuple(namespace, action).map((parts) => parts.join(":"));
const home = fc.stringMatching(/^[a-z.-]{1,40}$/);
const anyName = fc.oneof(
  displayName,
  fc.tuple(home, displayName).map((parts) => parts.join(":")),
);

describe("names of capabilities as tools", () => {
  it.each([
    ["fs:read_json", "cap__fs__read_json"],
    ["unnamed_0123abcd", "cap__unnamed_0123abcd"],
  ])("%s is %s", (name, tool) => {
    expect(toCapabilityTool(name)).toBe(tool);
    expect(readCapabilityTool(tool)).toEqual({ name });
  });

  it("are in a form that every client takes", () => {
    fc.assert(fc.property(anyName, (name) => void expect(toCapabilityTool(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)));
  });

  it("lead back to the capability, or say that a list is needed", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const tool = toCapabilityTool(name);
        expect(readCapabilityTool(tool)).toEqual(tool.includes("___") ? { hashed: tool } : { name });
      }),
    );
  });

  it.each(["cap:fs:read_json", "cap:fs:read_json@v1", "cap:acme.shared:fs:read_json"])("may be written %s", (name) => {
    expect(readCapabilityTool(name)).toEqual({ name: name.slice(4) });
  });

  it.each(["capital_letters", "cap_fs_read", "pml_execute"])("%s is none", (name) => {
    expect(readCapabilityTool(name)).toBeUndefined();
  });
});
