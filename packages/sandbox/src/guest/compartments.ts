import { createCodedError } from "./coded-error.js";

/** The language, as code sees it. What is not listed is not there. */
const LANGUAGE =
  `isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape Array
  BigInt Boolean Date Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError JSON Map Math
  Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap WeakSet`.split(/\s+/);

/** These stay in every global object: they cannot be taken out of it. */
const CONSTANTS = { Infinity: Number.POSITIVE_INFINITY, NaN: Number.NaN, undefined };

const TYPEOF = /\btypeof\b[\s(]*([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;

/** So many are kept ready, for a burst of short runs: together they take less than a megabyte. */
const STOCK = 16;

/** A fresh compartment for each run, made ahead where there is time: making one is a good part of what a run costs. */
export class Compartments {
  /** All that code has besides what is its own: the language and the powers, by name. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** What code sees as `globalThis`. */
  readonly globalView: object;
  readonly #stock: PreparedCompartment[] = [];

  constructor(powers: Record<string, unknown>) {
    const language = new Compartment().globalThis as Record<string, unknown>;
    const values = Object.fromEntries(LANGUAGE.map((name) => [name, language[name]]));
    this.globals = Object.freeze({ ...values, ...powers });
    this.globalView = Object.freeze({ ...CONSTANTS, ...this.globals });
  }

  isGlobal(name: string): boolean {
    return Object.hasOwn(this.globalView, name);
  }

  get isEmpty(): boolean {
    return this.#stock.length === 0;
  }

  /** Makes one ahead. False when there are enough. */
  prepare(): boolean {
    if (this.#stock.length >= STOCK) return false;
    this.#stock.push(prepareCompartment());
    return true;
  }

  /** Names that `sources` test with `typeof` may be absent; any other unknown name throws an error that says so. */
  take(sources: readonly string[]): Compartment {
    const { compartment, absent } = this.#stock.pop() ?? prepareCompartment();
    for (const source of sources.filter((each) => each.includes("typeof")))
      for (const match of source.matchAll(TYPEOF)) absent.add(match[1] ?? "");
    return compartment;
  }
}

interface PreparedCompartment {
  compartment: Compartment;
  absent: Set<string>;
}

/**
 * A compartment with nothing in its global object: units bind the globals around their code instead. To SES each global is
 * a constant to find and check anew for every compartment, which takes as long, and as much memory, as all the rest.
 */
function prepareCompartment(): PreparedCompartment {
  const compartment = new Compartment();
  const scope = compartment.globalThis as object;
  const absent = new Set<string>();
  for (const name of Object.getOwnPropertyNames(scope)) Reflect.deleteProperty(scope, name);
  Object.setPrototypeOf(scope, createUnknownNames(absent));
  Object.freeze(scope);
  // The first evaluation builds the evaluator.
  compartment.evaluate("0");
  return { compartment, absent };
}

/**
 * Stands behind the global object, where a lookup comes that found nothing. SES alone would give `undefined`, and the
 * code would fail later, somewhere else.
 */
function createUnknownNames(absent: ReadonlySet<string>): object {
  return new Proxy(Object.freeze(Object.create(null) as object), {
    has: (_, name) => typeof name === "string" && !absent.has(name),
    get: (_, name) => (typeof name === "string" ? throwUnknown(name) : undefined),
    set: (_, name) => throwUnknown(String(name)),
  });
}

function throwUnknown(given: string): never {
  const name = given.slice(0, 100);
  const message = `There is no "${name}" in the sandbox. Code has the language, its inputs, mcp and capabilities.`;
  throw createCodedError({ code: "SANDBOX_UNKNOWN_GLOBAL", message, details: { name } }, ReferenceError);
}
