import { expect, it } from "vitest";

import { useSandbox } from "../shared-sandbox.js";

const { outcome } = useSandbox();

/** Follows everything there is to follow from what runs have in common, and names what could be written on. */
const WALK = `
  const seeds = {
    ...Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, globalThis[name]])),
    setTimeout, setInterval, clearTimeout, clearInterval, structuredClone, atob, btoa, Date, Math,
    generator: Object.getPrototypeOf(function* () {}),
    asyncGenerator: Object.getPrototypeOf(async function* () {}),
    asyncFunction: Object.getPrototypeOf(async () => {}),
    arrayIterator: Object.getPrototypeOf([][Symbol.iterator]()),
    mapIterator: Object.getPrototypeOf(new Map()[Symbol.iterator]()),
    stringIterator: Object.getPrototypeOf(""[Symbol.iterator]()),
    matchIterator: Object.getPrototypeOf("".matchAll(/a/g)),
    iteratorHelper: [].values().map ? Object.getPrototypeOf([].values().map((x) => x)) : undefined,
    stack: Object.getOwnPropertyDescriptor(new Error(), "stack").get,
    urlError: (() => { try { new URL("") } catch (error) { return Object.getPrototypeOf(error) } })(),
    syntaxError: (() => { try { JSON.parse("{") } catch (error) { return Object.getPrototypeOf(error) } })(),
    toolError: await mcp.no.tool().catch((error) => Object.getPrototypeOf(error)),
    result: Object.getPrototypeOf(await mcp.a.b()),
    promise: Object.getPrototypeOf(mcp.a.b()),
    argumentsObject: Object.getPrototypeOf((function () { return arguments })()),
    searchParams: Object.getPrototypeOf(new URL("http://a").searchParams),
  };
  const seen = new Set();
  const loose = [];
  const visit = (value, path) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) return;
    seen.add(value);
    if (!Object.isFrozen(value)) loose.push(path);
    visit(Object.getPrototypeOf(value), path + ".__proto__");
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
      for (const [name, next] of [["", inner], [".get", get], [".set", set]]) visit(next, path + "." + String(key) + name);
    }
  };
  for (const name of Object.keys(seeds)) visit(seeds[name], name);
  return { loose, seen: seen.size };
`;

it("everything that runs of one child have in common is frozen", async () => {
  const { loose, seen } = (await outcome(WALK, { tools: [{ id: "a:b", call: () => ({}) }] })) as {
    loose: string[];
    seen: number;
  };
  expect(loose).toEqual([]);
  expect(seen).toBeGreaterThan(500);
});

const MARK = `
  const found = typeof mark !== "undefined" || "mark" in globalThis;
  const leave = () => {
    try { mark = 1 } catch {}
    try { globalThis.mark = 1 } catch {}
    try { Object.getPrototypeOf(globalThis).mark = 1 } catch {}
  };
  leave();
  setTimeout(leave);
  setInterval(leave, 1);
  (async () => { for (let i = 0; i < 50; i++) { await null; leave(); } })();
  return found;
`;

it.each([
  ["one right after the other", 0],
  ["with a rest in between, in which the next ones are prepared", 10],
])("runs of one child find nothing that others left behind, %s", async (_, restMs) => {
  const found: unknown[] = [];
  for (let count = 0; count < 40; count++) {
    found.push(await outcome(MARK));
    if (restMs > 0 && count % 10 === 0) await new Promise((done) => setTimeout(done, restMs));
  }
  expect(new Set(found)).toEqual(new Set([false]));
});

it("a name that one run tests for is as unknown to the next as it was", async () => {
  for (let count = 0; count < 20; count++) {
    expect(await outcome("return typeof ghost")).toBe("undefined");
    expect(await outcome("return ghost")).toBe("SANDBOX_UNKNOWN_GLOBAL");
  }
});

it("a global that code gives another value has it in that code only", async () => {
  const replace = "Array = Error = JSON = Math = 1; [Map] = [2]; mcp = capabilities = 3;";
  const look = "return [Array, Error, JSON, Math, Map, mcp, capabilities].map((each) => typeof each)";
  const capabilities = { look: { code: look } };
  const types = ["function", "function", "object", "object", "function", "object", "object"];
  const inside = "const { look } = capabilities;";
  expect(await outcome(`${inside} ${replace} return look()`, { capabilities })).toEqual(types);
  expect(await outcome(look)).toEqual(types);
});
