import { URLSearchParams as NodeSearchParams } from "node:url";

const inners = new WeakMap<GuestSearchParams, NodeSearchParams>();

/**
 * Node's class cannot be given to code: it is shared by all runs, can be changed, and throws errors that lead to more
 * of the host. This one passes nothing but text.
 */
export class GuestSearchParams implements Iterable<[string, string]> {
  constructor(init: unknown = "") {
    inners.set(this, init instanceof NodeSearchParams ? init : new NodeSearchParams(copyInit(init)));
  }
  get size(): number {
    return inner(this).size;
  }
  append(name: unknown, value: unknown): void {
    inner(this).append(String(name), String(value));
  }
  delete(name: unknown): void {
    inner(this).delete(String(name));
  }
  get(name: unknown): string | null {
    return inner(this).get(String(name));
  }
  getAll(name: unknown): string[] {
    return inner(this).getAll(String(name));
  }
  has(name: unknown): boolean {
    return inner(this).has(String(name));
  }
  set(name: unknown, value: unknown): void {
    inner(this).set(String(name), String(value));
  }
  sort(): void {
    inner(this).sort();
  }
  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.entries()) visit(value, name);
  }
  entries(): IterableIterator<[string, string]> {
    return [...inner(this)][Symbol.iterator]();
  }
  keys(): IterableIterator<string> {
    return [...inner(this).keys()][Symbol.iterator]();
  }
  values(): IterableIterator<string> {
    return [...inner(this).values()][Symbol.iterator]();
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  toString(): string {
    return inner(this).toString();
  }
}

function inner(parameters: GuestSearchParams): NodeSearchParams {
  const found = inners.get(parameters);
  if (found === undefined) throw new TypeError("Illegal invocation");
  return found;
}

/** Only text goes on to Node. */
function copyInit(init: unknown): string | [string, string][] {
  if (typeof init !== "object" || init === null) return String(init);
  const pairs = Symbol.iterator in init ? [...(init as Iterable<[unknown, unknown]>)] : Object.entries(init);
  return pairs.map(([name, value]): [string, string] => [String(name), String(value)]);
}
