import type { AnyNode } from "acorn";

import type { Binding, Scopes } from "../parse/scope.js";

interface Scheduling {
  readonly scopes: Scopes;
  /** How a statement reads once everything it uses has been emitted. */
  keyOf(statement: AnyNode): string;
  emit(statement: AnyNode): void;
}

interface Ready {
  readonly index: number;
  readonly key: string;
  /** Tells apart what reads the same: where what it declares is first used afterwards. */
  readonly use: number;
}

/** Emits statements in an order that depends on what they say, not on where they stand: uses after declarations. */
export function schedule(statements: readonly AnyNode[], { scopes, keyOf, emit }: Scheduling): void {
  const { users, missing } = listUsers(statements, scopes);
  const ready: Ready[] = [];
  const end = statements.at(-1)?.end ?? 0;
  const makeReady = (index: number): void => {
    const statement = statements[index] as AnyNode;
    insertSorted(ready, { index, key: keyOf(statement), use: firstUse(scopes, statement, end) });
  };
  missing.forEach((count, index) => count === 0 && makeReady(index));
  for (let next = ready.shift(); next; next = ready.shift()) {
    emit(statements[next.index] as AnyNode);
    for (const user of users[next.index] ?? []) {
      missing[user] = (missing[user] ?? 0) - 1;
      if (missing[user] === 0) makeReady(user);
    }
  }
}

/** For each statement those that use what it declares, and how many statements each one uses. */
function listUsers(statements: readonly AnyNode[], scopes: Scopes): { users: Set<number>[]; missing: number[] } {
  const declaredIn = new Map<Binding, number>();
  statements.forEach((statement, index) => {
    for (const binding of scopes.declaredIn(statement)) declaredIn.set(binding, index);
  });
  const users = statements.map(() => new Set<number>());
  const missing = statements.map(() => 0);
  statements.forEach((statement, index) => {
    for (const name of scopes.referencesIn(statement)) {
      const binding = scopes.bindingOf(name);
      const source = binding && declaredIn.get(binding);
      if (source === undefined || source === index || users[source]?.has(index)) continue;
      users[source]?.add(index);
      missing[index] = (missing[index] ?? 0) + 1;
    }
  });
  return { users, missing };
}

function firstUse(scopes: Scopes, statement: AnyNode, after: number): number {
  const uses = scopes.declaredIn(statement).flatMap((binding) => binding.uses.filter((use) => use >= after));
  return uses.length === 0 ? Number.POSITIVE_INFINITY : uses.reduce((a, b) => Math.min(a, b));
}

function comesBefore(a: Ready, b: Ready): boolean {
  if (a.key !== b.key) return a.key < b.key;
  return a.use === b.use ? a.index < b.index : a.use < b.use;
}

function insertSorted(ready: Ready[], entry: Ready): void {
  let low = 0;
  let high = ready.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(ready[middle] as Ready, entry)) low = middle + 1;
    else high = middle;
  }
  ready.splice(low, 0, entry);
}
