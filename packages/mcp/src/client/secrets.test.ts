import { describe, expect, it } from "vitest";

import { createConceal, joinSecrets, listSecrets } from "./secrets.js";

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
    [
      { command: "x", args: ["--api-key=abcdef", "--auth-token", "ghijkl", "--private", "--port", "12345"] },
      ["abcdef", "ghijkl"],
    ],
    [
      { command: "x", args: ["postgres://u:a%20bcd@db/x"], env: { DB: "redis://:wxyz@h" } },
      ["wxyz", "a%20bcd", "a bcd"],
    ],
  ])("of %j are %j", (config, expected) => {
    expect([...listSecrets(config)].sort()).toEqual([...expected].sort());
  });

  it("are known by the variables that a text stands on, wherever it stands", () => {
    const given = { command: "${HOME}/x", args: ["connect to ${DB_PASSWORD}"], cwd: "${HOME}", env: { A: "${HOME}" } };
    const variables = { HOME: "/home/ada", DB_PASSWORD: "hunter2" };
    const config = { command: "/home/ada/x", args: ["connect to hunter2"], cwd: "/home/ada", env: { A: "/home/ada" } };
    expect(listSecrets(config, { given, variables })).toEqual(["hunter2"]);
  });

  it("of other servers are taken out too, unless they may be plain words", () => {
    expect(joinSecrets(["abcd"], ["memory", "tr0ub4dor-and-3"])).toEqual(["abcd", "tr0ub4dor-and-3"]);
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
