import { describe, expect, it } from "vitest";

import { createConceal, listSecrets } from "./secrets.js";

describe("secrets", () => {
  it.each([
    [{ command: "x", env: { GITHUB_TOKEN: "abcdef", HOME: "/home/a" } }, ["abcdef"]],
    [{ command: "x", env: { PLAIN: "abcdef" }, secrets: ["PLAIN"] }, ["abcdef"]],
    [{ command: "x", env: { API_KEY: "abc" } }, []],
    [
      { url: "https://x.org/mcp?code=12345", headers: { Authorization: "Bearer abcdef", Accept: "text/html" } },
      ["Bearer abcdef", "abcdef", "12345"],
    ],
    [{ url: "https://u:hunter2@x.org" }, ["hunter2"]],
  ])("of %j are %j", (config, expected) => {
    expect(listSecrets(config)).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ["in a text", 'is a"b\\c!', "is [redacted]!"],
    ["inside of JSON", JSON.stringify({ key: 'a"b\\c' }), '{"key":"[redacted]"}'],
    ["inside of an address", `?k=${encodeURIComponent('a"b\\c')}`, "?k=[redacted]"],
    ["in base64", Buffer.from('a"b\\c').toString("base64"), "[redacted]"],
    ["in lists, objects and keys", [{ 'a"b\\c': [1, 'a"b\\c'] }], [{ "[redacted]": [1, "[redacted]"] }]],
  ])("are taken out %s", (_, value, expected) => {
    expect(createConceal(['a"b\\c'])(value)).toEqual(expected);
  });

  it("are taken out whole where one holds another", () => {
    expect(createConceal(["abcd", "abcdefgh"])("abcdefgh")).toBe("[redacted]");
  });
});
