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
