import type { AnyNode } from "acorn";
import { recursive } from "acorn-walk";

import { RESERVED_PREFIX } from "../globals.js";
import type { Parsed } from "../parse/parse.js";
import { labelOf } from "../parse/patterns.js";
import type { SourceText } from "../parse/source-text.js";
import { censor } from "./censored.js";
import { Edits, type Shift } from "./edits.js";
import { PROBE } from "./probe.js";
import { findScopes, type ScopedSite } from "./scoped-sites.js";
import type { Site, Sites } from "./sites.js";

export interface Instrumented {
  /**
   * JavaScript for the body of an async function. It behaves as the agent's code does, and tells `__pmlHost` which
   * node each step belongs to. Every line is the agent's own line.
   */
  readonly code: string;
  /** What was added where, to find columns in the agent's code again: see `originalPosition`. */
  readonly shifts: readonly Shift[];
}

/** The code with every site reporting to the probe. */
export function instrument(sites: Sites, { code, program, comments }: Parsed): Instrumented {
  const edits = new Edits();
  const used = findScopes(sites);
  for (const site of used) WRITERS[site.kind](edits, code, site);
  if (used.length > 0) edits.insert(0, prelude(sites.targets));
  censor(edits, { code, program, comments });
  return { code: edits.apply(code.text), shifts: edits.shifts(code) };
}

/** On one line, so that the agent's first line stays the first. */
const factory = PROBE.replaceAll(/\n\s*/g, " ");

function prelude(targets: ReadonlyMap<string, string>): string {
  return `const ${RESERVED_PREFIX}=(${factory})(${RESERVED_PREFIX}Host,${tableOf(targets)});`;
}

/** Keys and values are digits, letters, colons and slashes: nothing in them needs care. */
function tableOf(targets: ReadonlyMap<string, string>): string {
  let table = "";
  for (const [key, target] of targets) table += `${table && ","}"${key}":"${target}"`;
  return `{${table}}`;
}

type Write = (edits: Edits, code: SourceText, site: ScopedSite) => void;
type NodeOf<Type extends AnyNode["type"]> = Extract<AnyNode, { type: Type }>;

const WRITERS: Record<Site["kind"], Write> = {
  call: (edits, code, { node, number, probe }) => spreadInputs(edits, code, { node, open: `${probe}.call(${number}` }),
  operation(edits, code, { node, number, probe, operation, chained }) {
    const method = chained ? "mark" : "start";
    spreadInputs(edits, code, { node, open: `${probe}.${method}(${number},"${operation}"` });
    if (!chained) edits.wrap(node, `${probe}.end(`, ")");
  },
  decide(edits, _code, { node, number, probe }) {
    const test = node.type === "LogicalExpression" ? node.left : (node as NodeOf<"IfStatement">).test;
    wrapValue(edits, test, `${probe}.decide(${number},`);
  },
  present(edits, _code, { node, number, probe }) {
    wrapValue(edits, (node as NodeOf<"LogicalExpression">).left, `${probe}.present(${number},`);
  },
  otherwise(edits, _code, { node, number, probe }) {
    const { operator, right } = node as NodeOf<"AssignmentExpression">;
    const outcome = operator === "&&=" ? "true" : "false";
    edits.wrap(right, `(${probe}.chose(${number},"${outcome}"),`, ")");
  },
  switch(edits, code, { node, number, probe }) {
    const { discriminant, cases } = node as NodeOf<"SwitchStatement">;
    wrapValue(edits, discriminant, `${probe}.select(${number},`);
    const report = (label: string): string => `${probe}.selected(${number},${JSON.stringify(label)});`;
    for (const each of cases) {
      const label = labelOf(each, code);
      if (each.test) wrapValue(edits, each.test, `${probe}.match(${JSON.stringify(label)},`);
      const colon = findAhead(code.text, each.test?.end ?? each.start + "default".length, ":");
      edits.insert(colon + 1, report(label));
    }
    if (cases.every(({ test }) => test))
      edits.insert(node.end - 1, `${cases.length > 0 ? ";" : ""}default:${report("default")}`);
  },
  try(edits, _code, { node, number, probe }) {
    const { block, handler } = node as NodeOf<"TryStatement">;
    edits.insert(block.end - 1, `;${probe}.passed(${number});`);
    for (const { argument } of returnsIn(block)) if (argument) wrapValue(edits, argument, `${probe}.done(${number},`);
    if (handler) edits.insert(handler.body.start + 1, `${probe}.chose(${number},"error");`);
  },
  loop(edits, _code, { node, number, probe }) {
    const { body } = node as NodeOf<"WhileStatement">;
    const begin = `const ${RESERVED_PREFIX}${number}=${probe}.turn(${number});`;
    if (body.type === "BlockStatement") edits.insert(body.start + 1, begin);
    else edits.wrap(body, `{${begin}`, "}");
  },
  function(edits, code, { node, number, probe }) {
    const { body, params } = node as NodeOf<"FunctionExpression">;
    const begin = `const ${RESERVED_PREFIX}${number}=${probe}.enter(${number});`;
    if (body.type === "BlockStatement") return edits.insert(body.start + 1, begin);
    const arrow = findAhead(code.text, params.at(-1)?.end ?? node.start, "=>");
    // The parentheses keep a line break after `return` from ending the statement.
    edits.wrap({ start: arrow + 2, end: node.end }, `{${begin}return(`, ")}");
  },
  bind: (edits, _code, { node, number, probe }) => edits.wrap(node, `${probe}.bind(${number},`, ")"),
};

/** Returns that leave a block, not those of functions in it. */
function returnsIn(block: AnyNode): NodeOf<"ReturnStatement">[] {
  const found: NodeOf<"ReturnStatement">[] = [];
  recursive(block, undefined, {
    Function: () => {},
    ReturnStatement: (node) => found.push(node),
  });
  return found;
}

/** `f(a, b)` becomes `f(...open, a, b))`: the inputs are ready, the call comes next. */
function spreadInputs(edits: Edits, code: SourceText, { node, open }: { node: AnyNode; open: string }): void {
  const { callee, arguments: inputs } = node as NodeOf<"CallExpression">;
  const start = findAhead(code.text, callee.end, "(") + 1;
  if (inputs.length === 0) edits.insert(start, `...${open})`);
  else edits.wrap({ start, end: node.end - 1 }, `...${open},`, ")");
}

function wrapValue(edits: Edits, node: AnyNode, open: string): void {
  if (node.type === "SequenceExpression") edits.wrap(node, `${open}(`, "))");
  else edits.wrap(node, open, ")");
}

/** The first place of `sought` after `from` that is not inside a comment. Only punctuation and names lie between. */
function findAhead(text: string, from: number, sought: string): number {
  const skip = /\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*/y;
  let at = from;
  while (at < text.length && !text.startsWith(sought, at)) {
    skip.lastIndex = at;
    at = skip.test(text) ? skip.lastIndex : at + 1;
  }
  return at;
}
