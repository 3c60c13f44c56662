import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decodeCapabilityName, encodeCapabilityName } from "./cap-names.js";

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,31}$/);
const displayName = fc
  .tuple(word, fc.stringMatching(/^[a-z][a-z0-9]{0,20}(_[a-z0-9]{1,12}){1,3}$/))
  .map((parts) => parts.join(":"));
const anyName = fc.oneof(
  displayName,
  fc.tuple(fc.stringMatching(/^[a-z.-]{1,40}$/), displayName).map((parts) => parts.join(":")),
);

describe("names of capabilities as tools", () => {
  it.each([
    ["fs:read_json", "cap_fs_read_json"],
    ["unnamed_0123abcd", "cap_unnamed_0123abcd"],
    ["acme.shared:fs:read_json", "cap_acme_shared_fs_read_json-03a84c3d031d"],
  ])("%s is %s", (name, tool) => {
    expect(encodeCapabilityName(name)).toBe(tool);
  });

  it("are in a form that every client takes", () => {
    fc.assert(fc.property(anyName, (name) => void expect(encodeCapabilityName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)));
  });

  it("lead back to the capability, or say that a list is needed", () => {
    fc.assert(
      fc.property(displayName, (name) => {
        const tool = encodeCapabilityName(name);
        expect(decodeCapabilityName(tool)).toEqual(tool.includes("-") ? { hashed: tool } : { name });
      }),
    );
  });

  it("are never the same for two capabilities", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName), (names) => {
        expect(new Set(names.map(encodeCapabilityName)).size).toBe(names.length);
      }),
    );
  });

  it.each(["cap:fs:read_json", "cap:fs:read_json@v1", "cap:acme.shared:fs:read_json"])("may be written %s", (name) => {
    expect(decodeCapabilityName(name)).toEqual({ name: name.slice(4) });
  });

  it("are no others", () => {
    expect(decodeCapabilityName("capital_letters")).toBeUndefined();
  });
});
