import { StaticStructureBuilder, structureToDag } from "@pml/analyzer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findBrokenRule } from "../display-name.js";
import { clusterByTools } from "./cluster.js";
import { generalise } from "./generalise.js";
import { nameByRule } from "./name-by-rule.js";
import { inferNamespace } from "./namespace-rules.js";
import { listCandidates, resolveCollisions } from "./resolve-collisions.js";

describe("namespaces", () => {
  it.each<[string[], string]>([
    [["fs:read"], "fs"],
    [["fs:read", "json:parse"], "fs"],
    [["http:get"], "api"],
    [["db:query"], "db"],
    [["sql:select"], "db"],
    [["git:commit"], "git"],
    [["github:create_issue"], "git"],
    [["bash:run"], "shell"],
    [["llm:complete"], "ai"],
    [["json:parse"], "transform"],
    [[], "transform"],
    [["calendar:add"], "util"],
    [["http:get", "http:post", "fs:write"], "api"],
  ])("of %j is %s", (tools, expected) => {
    expect(inferNamespace(tools)).toBe(expected);
  });
});

describe("names by rule", () => {
  it.each<[string, string[], string]>([
    ["read the settings of the app", ["fs:read"], "fs:read_settings"],
    ["Read a JSON file", ["fs:read", "json:parse"], "fs:read_json"],
    ["read the file config.json", ["fs:read"], "fs:read_json"],
    ["fetch user 42 from https://example.com/users", ["http:get"], "api:fetch_user"],
    ["Please convert the CSV export to JSON", ["csv:parse"], "transform:csv_to_json"],
    ["sending an email to bob", ["mail:send"], "util:send_email"],
    ["count the lines in a file", ["fs:read"], "fs:count_lines"],
    ["get the weather in Paris", ["http:get"], "api:get_weather"],
    ["list all open issues", ["github:list_issues"], "git:list_open_issues"],
    ["Lire un fichier", ["fs:read"], "fs:read_fichier"],
    ["读取文件", ["fs:read"], "fs:read_file"],
    ["open issue", ["github:create_issue"], "git:open_issue"],
    ["summarise the report", ["llm:complete"], "ai:summarize_report"],
    ["delete rows older than a year", ["db:execute"], "db:delete_rows"],
  ])("%s → with %j: %s", (intent, toolsUsed, expected) => {
    expect(nameByRule({ intent, toolsUsed }).name).toBe(expected);
  });

  it("are names, whatever the intent", () => {
    const tools = fc.array(fc.constantFrom("fs:read", "http:get", "x-y:doThing", "a:b"), { maxLength: 3 });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), tools, (intent, toolsUsed) => {
        expect(findBrokenRule(nameByRule({ intent, toolsUsed }).name)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe("collisions", () => {
  it("give each a name of its own, words before numbers", () => {
    const wish = { hash: "0123456789abcdef", name: "fs:read_json", variants: ["config"] };
    const given = resolveCollisions(
      ["a", "b", "c", "d"].map((id) => ({ ...wish, id })),
      (name) => name === "fs:read_json_2",
    );
    expect([...given.values()]).toEqual(["fs:read_json", "fs:read_json_config", "fs:read_json_3", "fs:read_json_4"]);
  });

  it("never end in a name twice, nor in one that is taken", () => {
    const names = fc.array(fc.constantFrom("fs:read_json", "fs:read_csv", "api:get_user"), { maxLength: 12 });
    fc.assert(
      fc.property(names, fc.array(fc.nat(12)), (wished, holes) => {
        const wishes = wished.map((name, index) => ({
          id: String(index),
          hash: `${index}`.padStart(16, "a"),
          name,
          variants: [],
        }));
        const taken = new Set(holes.flatMap((hole) => wishes.flatMap((wish) => listCandidates(wish)[hole] ?? [])));
        const given = [...resolveCollisions(wishes, (name) => taken.has(name)).values()];
        expect(new Set(given).size).toBe(given.length);
        expect(given.filter((name) => taken.has(name))).toEqual([]);
      }),
    );
  });
});

describe("clusters", () => {
  it("hold what works with much the same tools", () => {
    const items = [["fs:read"], ["fs:read", "json:parse"], ["http:get"], ["http:get", "http:post"], []].map(
      (toolsUsed) => ({ toolsUsed }),
    );
    expect(clusterByTools(items).map(({ members }) => members.length)).toEqual([1, 2, 2]);
  });

  it("lose nothing", () => {
    const tool = fc.constantFrom("a:1", "b:2", "c:3", "d:4");
    fc.assert(
      fc.property(fc.array(fc.record({ toolsUsed: fc.uniqueArray(tool) })), (items) => {
        const members = clusterByTools(items).flatMap((cluster) => cluster.members);
        expect(members).toHaveLength(items.length);
        expect(new Set(members)).toEqual(new Set(items));
      }),
    );
  });
});

describe("generalising", () => {
  const builder = new StaticStructureBuilder();
  const dagOf = (code: string) => {
    const conversion = structureToDag(builder.build(code));
    if (!conversion.ok) throw new Error(conversion.reasons.map(({ reason }) => reason).join());
    return conversion.dag;
  };

  it("turns what differs into parameters, and one pair of values into one", () => {
    const found = generalise(dagOf(code("a")), dagOf(code("b")));
    expect(found?.parameters).toMatchObject({ path: "a" });
    expect(found?.dag.tasks[0]?.arguments).toMatchObject({ path: { $param: "path", default: "a" }, encoding: "utf8" });
  });

  it("pairs tasks by what they do, not by where they stand", () => {
    const first = dagOf(
      `const [a, b] = await Promise.all([mcp.x.get({ id: 1 }), mcp.y.get({ id: 2 })]); return [a, b];`,
    );
    const second = dagOf(
      `const [b, a] = await Promise.all([mcp.y.get({ id: 2 }), mcp.x.get({ id: 7 })]); return [a, b];`,
    );
    expect(generalise(first, second)?.parameters).toEqual({ id: 1 });
  });

  it.each([
    ["another tool", "return mcp.fs.read({ path: 'a' })", "return mcp.fs.stat({ path: 'a' })"],
    ["another field", "return mcp.fs.read({ path: 'a' })", "return mcp.fs.read({ file: 'a' })"],
    [
      "a field that every object has",
      "return mcp.fs.read({ constructor: 'a', path: 'a' })",
      "return mcp.fs.read({ path: 'a' })",
    ],
    [
      "one step more",
      "return mcp.fs.read({ path: 'a' })",
      "await mcp.fs.stat({ path: 'a' }); return mcp.fs.read({ path: 'a' })",
    ],
    [
      "other data flow",
      "const a = await mcp.x.a({}); const b = await mcp.x.a({}); return mcp.x.b({ v: a.id, w: b.id })",
      "const a = await mcp.x.a({}); const b = await mcp.x.a({}); return mcp.x.b({ v: a.id, w: a.id })",
    ],
  ])("does not hide %s", (_, first, second) => {
    expect(generalise(dagOf(first), dagOf(second))).toBeUndefined();
  });

  it("gives no parameter the name that every object's prototype has", () => {
    const [first, second] = ["a", "b"].map((value) =>
      dagOf(`return mcp.fs.read({ ["__proto__"]: "${value}", path: "x" })`),
    );
    const found = first && second && generalise(first, second);
    expect(Object.keys(found?.parameters ?? {})).not.toContain("__proto__");
    expect(Object.getPrototypeOf(found?.parameters ?? {})).toBe(Object.prototype);
  });

  it("of a thing with itself is itself", () => {
    const dag = dagOf("const f = await mcp.fs.read({ path: 'a' }); return mcp.json.parse({ json: f.content });");
    expect(generalise(dag, dag)).toEqual({ dag, parameters: {} });
  });
});

function code(path: string): string {
  return `const file = await mcp.fs.read({ path: "${path}", encoding: "utf8" });
    return mcp.fs.write({ path: "copy", content: file.content, from: { path: "${path}" } });`;
}
