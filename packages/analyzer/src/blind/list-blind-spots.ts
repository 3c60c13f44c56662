import type { AnyNode, Identifier, NewExpression, Program } from "acorn";
import { fullAncestor } from "acorn-walk";

import type { Binding, Scopes } from "../parse/scope.js";
import type { SourceText } from "../parse/source-text.js";
import type { BlindSpot } from "./blind-spot.js";
import { type Change, findChange, noteOwn } from "./changes.js";
import { listLateReads } from "./late-reads.js";
import { groupByBinding, type Use } from "./uses.js";
import { isFunction, wayOf } from "./ways.js";

/** What the syntax of the code shows of where its data may go unseen. */
export function listBlindSpots(program: Program, scopes: Scopes, code: SourceText): BlindSpot[] {
  const found = new Spots(code);
  const uses: Use[] = [];
  const changes: Change[] = [];
  const own = new Set<Binding>();
  fullAncestor(program, (each, _, path) => {
    const [node, ancestors] = [each as AnyNode, [...path] as AnyNode[]];
    noteSyntax(node, found, scopes);
    if (node.type === "VariableDeclarator") noteOwn(node, scopes, own);
    const change = findChange(node);
    if (change !== undefined) changes.push(change);
    const binding = node.type === "Identifier" ? scopes.bindingOf(node) : undefined;
    // Where it is declared or assigned, its value is not used.
    if (binding?.uses.includes(node.start) === true) uses.push({ name: node as Identifier, binding, ancestors });
  });
  for (const change of changes) noteChange(change, { found, scopes, own });
  const changesOf = groupByBinding(changes, ({ root }) =>
    root.type === "Identifier" ? scopes.bindingOf(root) : undefined,
  );
  for (const use of uses) noteUse(use, changesOf.get(use.binding) ?? [], { found, scopes });
  for (const node of listLateReads(uses, changesOf))
    found.put(node, "what it reads may change before it is read", true);
  return found.list();
}

class Spots {
  readonly #spots = new Map<string, BlindSpot>();
  readonly #code: SourceText;

  constructor(code: SourceText) {
    this.#code = code;
  }

  put({ start }: AnyNode, reason: string, late = false): void {
    const line = this.#code.line(start);
    this.#spots.set(`${line} ${reason}`, { reason, line, ...(late && { late }) });
  }

  list(): BlindSpot[] {
    return [...this.#spots.values()];
  }
}

const UNFOLLOWED: Partial<Record<AnyNode["type"], string>> = {
  ThisExpression: "it uses this",
  YieldExpression: "a generator gives its values one by one",
};

function noteSyntax(node: AnyNode, found: Spots, scopes: Scopes): void {
  const reason = UNFOLLOWED[node.type];
  if (reason !== undefined) found.put(node, reason);
  const isAccessor = (node.type === "Property" || node.type === "MethodDefinition") && /^[gs]et$/.test(node.kind);
  if (isAccessor) found.put(node, "reading or writing a property runs code");
  if (node.type === "Identifier" && /^(?:arguments|Proxy|Reflect)$/.test(node.name) && !scopes.bindingOf(node))
    found.put(node, `it uses ${node.name}`);
  if (node.type === "NewExpression" && isPromise(node, scopes) && !onlyWaits(node, scopes))
    found.put(node, "a promise is settled from elsewhere");
}

function isPromise({ callee }: NewExpression, scopes: Scopes): boolean {
  return callee.type === "Identifier" && callee.name === "Promise" && scopes.bindingOf(callee) === undefined;
}

/** `new Promise((done) => setTimeout(done, 100))` gives nothing. */
function onlyWaits({ arguments: [executor] }: NewExpression, scopes: Scopes): boolean {
  const param = executor?.type === "ArrowFunctionExpression" ? executor.params[0] : undefined;
  const binding = param?.type === "Identifier" ? scopes.bindingOf(param) : undefined;
  if (executor?.type !== "ArrowFunctionExpression" || executor.params.length !== 1 || binding === undefined)
    return false;
  const { body } = executor;
  const isTimer =
    body.type === "CallExpression" && body.callee.type === "Identifier" && body.callee.name === "setTimeout";
  return isTimer && binding.uses.length === 1 && binding.uses[0] === body.arguments[0]?.start;
}

interface Surroundings {
  readonly found: Spots;
  readonly scopes: Scopes;
}

function noteChange(
  { node, root, depth }: Change,
  { found, scopes, own }: Surroundings & { own: ReadonlySet<Binding> },
): void {
  if (root.type !== "Identifier" && root.type !== "ThisExpression") {
    // What a call has just given has no other name; a part of it may have.
    if (node.type === "AssignmentExpression") found.put(node, "it changes what has no name");
    return;
  }
  const binding = root.type === "Identifier" ? scopes.bindingOf(root) : undefined;
  if (binding === undefined) found.put(node, "it changes what is not its own");
  else if (depth > 0 || !own.has(binding)) found.put(node, "it changes what may have another name");
}

function noteUse({ name, binding, ancestors }: Use, changes: readonly Change[], { found, scopes }: Surroundings): void {
  if (binding.kind === "catch") {
    const way = wayOf(ancestors, scopes, false);
    if (way === "given" || way === "kept") found.put(name, "what was thrown is used, and may hold anything");
    return;
  }
  if (changes.length === 0 || wayOf(ancestors, scopes, true) !== "kept") return;
  const repeated = ancestors.filter((each) => isRepeated(each) && !holds(each, binding.at));
  const changesAfter = ({ node }: Change): boolean =>
    node.start > name.start || repeated.some((each) => holds(each, node.start));
  if (changes.some(changesAfter)) found.put(name, "what is changed has another name as well");
}

function isRepeated(node: AnyNode): boolean {
  return isFunction(node) || /^(?:For|While|DoWhile)/.test(node.type);
}

function holds({ start, end }: AnyNode, at: number): boolean {
  return start <= at && at < end;
}
