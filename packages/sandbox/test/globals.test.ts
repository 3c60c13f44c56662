import { describe, expect, it } from "vitest";

import { useSandbox } from "./shared-sandbox.js";

const { outcome } = useSandbox();

/** What code has besides the language, as it works elsewhere. */
describe("code has", () => {
  it.each<[name: string, code: string, outcome: unknown]>([
    [
      "URL",
      "const url = new URL('../c?d=1#e', 'http://u:p@host:81/a/b'); return [url.href, url.origin, url.port, url.username, url.hash]",
      ["http://u:p@host:81/c?d=1#e", "http://host:81", "81", "u", "#e"],
    ],
    [
      "URL, changeable",
      "const url = new URL('http://a'); url.pathname = '/x y'; url.searchParams.set('q', 'ä'); return String(url)",
      "http://a/x%20y?q=%C3%A4",
    ],
    ["URL in JSON", "return JSON.stringify({ url: new URL('http://a') })", '{"url":"http://a/"}'],
    ["URL.canParse", "return [URL.canParse('http://a'), URL.canParse('a')]", [true, false]],
    [
      "URL, with plain errors",
      "try { new URL('a') } catch (error) { return [error instanceof TypeError, error.code] }",
      [true, undefined],
    ],
    [
      "URL, which can be extended",
      "class Page extends URL { get slug() { return this.pathname.slice(1) } } return new Page('http://a/b').slug",
      "b",
    ],
    [
      "URLSearchParams",
      "const p = new URLSearchParams({ a: 1, b: 2 }); p.append('a', 3); p.delete('b'); return [String(p), p.getAll('a'), p.get('z'), p.has('a'), p.size]",
      ["a=1&a=3", ["1", "3"], null, true, 2],
    ],
    [
      "URLSearchParams, in a loop",
      "const seen = []; for (const [name, value] of new URLSearchParams('b=1&a=2')) seen.push(name + value); return seen",
      ["b1", "a2"],
    ],
    [
      "URLSearchParams, sorted and visited",
      "const p = new URLSearchParams([['b', 1], ['a', 2]]); p.sort(); const seen = []; p.forEach((value, name) => seen.push(name + value)); return [seen, [...p.keys()], [...p.values()]]",
      [
        ["a2", "b1"],
        ["a", "b"],
        ["2", "1"],
      ],
    ],
    [
      "atob and btoa",
      "return [btoa('héllo'), atob('aGk='), atob(btoa('\\0\\xff')) === '\\0\\xff']",
      ["aOlsbG8=", "hi", true],
    ],
    [
      "atob, which refuses what is not base64",
      "try { atob('!!') } catch (error) { return error.message }",
      "atob: the text is not base64.",
    ],
    [
      "btoa, which refuses what is no byte",
      "try { btoa('ж') } catch (error) { return error.message }",
      "btoa: the text has characters beyond U+00FF.",
    ],
    [
      "structuredClone",
      "const a = { d: new Date(1), m: new Map([[1, { x: 1 }]]) }; const b = structuredClone(a); b.m.get(1).x = 2; return [a.m.get(1).x, b.d.getTime()]",
      [1, 1],
    ],
    [
      "structuredClone, which refuses functions",
      "try { structuredClone(() => 1) } catch (error) { return error.code }",
      "SANDBOX_VALUE_REFUSED",
    ],
    [
      "setTimeout, with arguments",
      "return new Promise((done) => setTimeout((a, b) => done(a + b), 1, 'x', 'y'))",
      "xy",
    ],
    [
      "clearTimeout",
      "let ran = false; const id = setTimeout(() => { ran = true }, 1); clearTimeout(id); await new Promise((done) => setTimeout(done, 10)); return ran",
      false,
    ],
    [
      "setInterval and clearInterval",
      "let n = 0; await new Promise((done) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); done() } }, 1) }); return n",
      3,
    ],
    [
      "timers in order",
      "const seen = []; await Promise.all([3, 1, 2].map((n) => new Promise((done) => setTimeout(() => { seen.push(n); done() }, n * 8)))); return seen",
      [1, 2, 3],
    ],
    ["timers that refuse text", "setTimeout('attack()')", "SANDBOX_CODE_THREW"],
    [
      "dates",
      "const d = new Date(2020, 0, 2); return [d instanceof Date, Date.UTC(1970, 0, 1), Date.parse('1970-01-01'), typeof Date(), Date.name]",
      [true, 0, 0, "string", "Date"],
    ],
    [
      "dates that can be extended",
      "class Day extends Date {} return [new Day(0) instanceof Day, new Day(0).getTime()]",
      [true, 0],
    ],
    ["Math", "return [Math.max(1, 2), Math.PI > 3, Object.prototype.toString.call(Math)]", [2, true, "[object Math]"]],
    [
      "generators, classes, proxies and labels",
      "function* g() { yield* [1, 2] } class A { #x = 1; get x() { return this.#x } } outer: for (;;) { for (;;) break outer } return [[...g()], new A().x, new Proxy({}, { get: () => 7 }).any]",
      [[1, 2], 1, 7],
    ],
    [
      "async iteration",
      "async function* g() { yield 1; yield 2 } const seen = []; for await (const n of g()) seen.push(n); return seen",
      [1, 2],
    ],
    [
      "everyday names on plain objects",
      "const o = {}; for (const key of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) o[key] = 1; return Object.keys(o).length",
      4,
    ],
    ["its inputs, which it may shadow", "const path = args.path + '!'; return path", "a!"],
    ["undefined without a return", "1 + 1", undefined],
  ])("%s", async (_, code, expected) => {
    expect(await outcome(code, { context: { path: "a" } })).toEqual(expected);
  });
});
