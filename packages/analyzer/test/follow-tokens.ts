import type { Analysis, StructureNode } from "../src/index.js";

/** A call of a run: what it was given, and the tokens that its result was made of. */
export interface TokenCall {
  readonly node: string | undefined;
  readonly tool: string;
  readonly input: string;
  readonly token: string;
}

type Body = (...powers: unknown[]) => Promise<unknown>;
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Body;
const MOST_CALLS = 300;

/** Runs instrumented code against tools whose results can be told from all others, wherever they turn up again. */
export async function runWithTokens(code: string, input: object): Promise<TokenCall[]> {
  const calls: TokenCall[] = [];
  let pending: string | undefined;
  const host = {
    announce: (node: string | undefined) => void (pending = node),
    choose: () => undefined,
    decision: () => {},
    start: () => {},
    end: () => {},
  };
  async function call(tool: string, given: unknown): Promise<unknown> {
    const node = pending;
    pending = undefined;
    if (calls.length >= MOST_CALLS) throw new Error("too many calls");
    const token = `<${calls.length}>`;
    calls.push({ node, tool, input: write(given), token });
    await undefined;
    if (tool.endsWith(":fail") && calls.length % 2 === 0) throw new Error(`failed ${token}`);
    const part = { text: `text ${token}`, a: `a ${token}`, kind: token };
    const { length } = calls;
    return {
      ...part,
      ok: length % 3 !== 0,
      value: token,
      items: [part, part],
      links: [token],
      e: [[token, 1]],
      json: `{"a":{"b":"${token}"}}`,
    };
  }
  const mcp = namespace((server) => namespace((name) => (given: unknown) => call(`${server}:${name}`, given)));
  const body = compile(code);
  const pml = { log() {}, progress() {} };
  const globals = new Set(Object.keys(globalThis));
  const args = structuredClone(input);
  await body(mcp, mcp, args, args, host, pml).catch(() => {});
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 5));
  // There is but one global object here, and the next run is to find it as this one did.
  for (const name of Object.keys(globalThis))
    if (!globals.has(name)) delete (globalThis as Record<string, unknown>)[name];
  return calls;
}

/** Code that names things as the sandbox does itself cannot be made a function of these names. */
function compile(code: string): Body {
  try {
    return new AsyncFunction("mcp", "capabilities", "args", "context", "__pmlHost", "pml", `"use strict";${code}`);
  } catch {
    return () => Promise.resolve();
  }
}

/** Pairs of nodes that a token went between and that the analysis does not know of. */
export function findUnseen({ structure, dataFlow }: Analysis, calls: readonly TokenCall[]): string[] {
  const nodes = new Map(structure.nodes.map((node) => [node.id, node]));
  const sources = (id: string, seen: Set<string> = new Set()): Set<string> => {
    for (const { from, to } of dataFlow) {
      if (to !== id || seen.has(from)) continue;
      seen.add(from);
      if (isPassage(nodes.get(from))) sources(from, seen);
    }
    return seen;
  };
  return calls.flatMap(({ node = "", input }) => {
    const known = sources(node);
    const came = calls.filter(({ token }) => input.includes(token));
    return came.filter((each) => !known.has(each.node ?? "")).map((each) => `${each.node} → ${node}`);
  });
}

/** What is given to it is in what it gives. */
function isPassage(node: StructureNode | undefined): boolean {
  return node?.type === "task" && node.pure === true;
}

function write(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) => (value instanceof Error ? value.message : value)) ?? "";
}

function namespace(member: (name: string) => unknown): object {
  return new Proxy(() => {}, {
    get: (target, name) => {
      if (name === "bind" || name === "call" || name === "apply") return Reflect.get(target, name) as unknown;
      return typeof name === "string" && name !== "then" ? member(name) : undefined;
    },
  });
}
