import { describe, expect, it } from "vitest";

import { checkServerConfig, listServerConfigs } from "./server-config.js";

const variables = { TOKEN: "t0ken" };

describe("the configuration of servers", () => {
  it("is read from under mcpServers, or as it is", () => {
    const servers = { a: { command: "x" }, b: { command: "y", disabled: true } };
    expect(listServerConfigs({ mcpServers: servers })).toEqual([["a", { command: "x" }]]);
    expect(listServerConfigs(servers)).toEqual([["a", { command: "x" }]]);
  });

  it.each([null, [], "x", 1])("is not %j", (config) => {
    expect(() => listServerConfigs(config)).toThrow(/must be an object/);
  });

  it("may name variables, in all its texts", () => {
    const stdio = { command: "x", args: ["--k=${TOKEN}"], env: { A: "${TOKEN}", B: "${NONE:-other}" } };
    expect(checkServerConfig("s", stdio, variables)).toMatchObject({
      args: ["--k=t0ken"],
      env: { A: "t0ken", B: "other" },
    });
    const http = { url: "https://x.org/mcp", headers: { Authorization: "Bearer ${TOKEN}" } };
    expect(checkServerConfig("s", http, variables)).toMatchObject({ headers: { Authorization: "Bearer t0ken" } });
  });

  it.each<[string, unknown, RegExp]>([
    ["nothing to connect to", {}, /neither a command nor a url/],
    ["no object", "x", /must be an object/],
    ["a variable that is not set", { command: "x", args: ["${NONE}"] }, /wants the variable NONE/],
    ["a variable of the language", { command: "x", args: ["${constructor}"] }, /wants the variable constructor/],
    ["args that are no texts", { command: "x", args: [1] }, /list of texts/],
    ["an environment that is no texts", { command: "x", env: { A: 1 } }, /object of texts/],
    ["a url that is none", { url: "file:///etc/passwd" }, /not http/],
    ["a transport that is no more", { type: "sse", url: "https://x.org" }, /streamable HTTP/],
  ])("with %s is refused, naming the server", (_, config, message) => {
    expect(() => checkServerConfig("srv", config, variables)).toThrow(message);
    expect(() => checkServerConfig("srv", config, variables)).toThrow(/srv/);
  });
});
