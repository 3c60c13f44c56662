import { types } from "node:util";

import { TAG } from "./tag-value.js";

/** Why a value cannot cross. */
export type Refusal =
  | { reason: "size"; maxBytes: number }
  | { reason: "kind"; kind: string; path: string; advice: string };

export type Survey = { ok: true; tagged: boolean } | { ok: false; refusal: Refusal };

/** Of what crosses, in objects. */
export const MAX_DEPTH = 500;
/** Text of the shortest element of an array, with its comma. */
const ELEMENT_BYTES = 2;

/** Kinds of object that are not data, and what to send instead. */
const REFUSED: readonly [is: (value: unknown) => boolean, kind: string, advice: string][] = [
  [types.isPromise, "promise", "await it first"],
  [types.isAnyArrayBuffer, "ArrayBuffer", "send an array of numbers or base64 text"],
  [types.isArrayBufferView, "typed array", "send an array of numbers or base64 text"],
  [types.isRegExp, "regular expression", "send its source"],
  [types.isBoxedPrimitive, "boxed primitive", "send the primitive"],
  [types.isWeakMap, "WeakMap", "send a Map"],
  [types.isWeakSet, "WeakSet", "send a Set"],
  [types.isGeneratorObject, "generator", "send an array of what it gives"],
  [types.isExternal, "external value", "send data"],
  [types.isModuleNamespaceObject, "module", "send data"],
  [(value) => isTagged(value, "URL"), "URL", "send its href"],
  [(value) => isTagged(value, "URLSearchParams"), "URLSearchParams", "send it as text"],
];

/** Says whether a value is data that fits, and whether it is more than JSON. Runs nothing of the value. */
export function findRefusal(value: unknown, maxBytes: number): Survey {
  const surveyor = new Surveyor(maxBytes);
  try {
    surveyor.visit(value);
    return { ok: true, tagged: surveyor.tagged };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

class Surveyor {
  tagged = false;
  readonly #maxBytes: number;
  /** A lower bound: each character takes at least a byte. */
  #bytes = 0;
  /** The objects around the one at hand, and the keys that lead to it. */
  readonly #open: object[] = [];
  readonly #path: (string | number)[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  visit(value: unknown): void {
    switch (typeof value) {
      case "string":
        return this.#count(value.length + 2);
      case "number":
        if (!Number.isFinite(value) || Object.is(value, -0)) this.tagged = true;
        return this.#count(1);
      case "undefined":
      case "bigint":
        this.tagged = true;
        return this.#count(4);
      case "symbol":
      case "function":
        return this.#refuse(typeof value, "send what it stands for");
      case "object":
        if (value !== null) return this.#enter(value);
    }
    this.#count(4);
  }

  #enter(value: object): void {
    if (types.isProxy(value)) this.#refuse("proxy", "copy what it gives into a plain object");
    if (this.#open.includes(value)) this.#refuse("cycle", "send a tree");
    if (this.#open.length >= MAX_DEPTH) this.#refuse("nesting", `keep to ${MAX_DEPTH} levels`);
    this.#open.push(value);
    this.#count(2);
    // `JSON.stringify` would call it, on a list or where it is hidden; a tagged copy is made without it.
    if (Object.hasOwn(value, "toJSON")) this.tagged = true;
    if (Array.isArray(value)) this.#array(value);
    else this.#object(value);
    this.#open.pop();
  }

  #array(value: readonly unknown[]): void {
    // Before the loop: a sparse array may be billions long and hold nothing.
    if (value.length * ELEMENT_BYTES > this.#maxBytes) this.#count(value.length * ELEMENT_BYTES);
    if (Object.getPrototypeOf(value) !== Array.prototype) this.tagged = true;
    for (let index = 0; index < value.length; index++) this.#property(value, index);
  }

  #object(value: object): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      this.tagged = true;
      if (this.#visitBuiltIn(value)) return;
    }
    for (const key of Object.keys(value)) {
      if (key === "__proto__") this.#refuse("__proto__ key", "rename the key");
      if (key === TAG) this.tagged = true;
      this.#count(key.length + 4);
      this.#property(value, key);
    }
  }

  /** Built-ins whose content is not in their properties. */
  #visitBuiltIn(value: object): boolean {
    for (const [is, kind, advice] of REFUSED) if (is(value)) this.#refuse(kind, advice);
    this.#count(20);
    if (types.isMap(value)) this.#items([...Map.prototype.entries.call(value)].flat());
    else if (types.isSet(value)) this.#items([...Set.prototype.values.call(value)]);
    return types.isMap(value) || types.isSet(value) || types.isDate(value) || types.isNativeError(value);
  }

  #items(items: readonly unknown[]): void {
    for (const [index, item] of items.entries()) {
      this.#path.push(index);
      this.visit(item);
      this.#path.pop();
    }
  }

  #property(owner: object, key: string | number): void {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key);
    this.#path.push(key);
    if (descriptor !== undefined && !("value" in descriptor)) this.#refuse("accessor", "send the value it gives");
    this.visit(descriptor?.value);
    this.#path.pop();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new Refused({ reason: "size", maxBytes: this.#maxBytes });
  }

  #refuse(kind: string, advice: string): never {
    const path = this.#path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
    throw new Refused({ reason: "kind", kind, path: path.replace(/^\./, "").slice(0, 200), advice });
  }
}

/** By tag, since the child has a URL class of its own. */
function isTagged(value: unknown, tag: string): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null || types.isProxy(prototype)) return false;
  return Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value === tag;
}
