import type { UnitMessage } from "../wire/messages.js";
import { createCodedError } from "./coded-error.js";
import { listInputNames, SCOPE_NAMES } from "./inputs.js";
import { findSourceFault } from "./source.js";
import { unitUrl } from "./stack-frames.js";

/** A piece of code and what it is called in stacks; the run's own code has no name. */
export interface Unit {
  code: string;
  name?: string;
}

export type ScopeNames = Record<(typeof SCOPE_NAMES)[number], unknown>;
type Start = (scope: Record<string, unknown>) => () => Promise<unknown>;

/** Turns units into functions, each once for every set of inputs it is called with. */
export class Units {
  readonly #compartment: Compartment;
  readonly #isGlobal: (name: string) => boolean;
  readonly #byName: Map<string, UnitMessage>;
  readonly #compiled = new Map<string, Start>();

  constructor(compartment: Compartment, isGlobal: (name: string) => boolean, capabilities: UnitMessage[]) {
    this.#compartment = compartment;
    this.#isGlobal = isGlobal;
    this.#byName = new Map(capabilities.map((capability) => [capability.name, capability]));
  }

  find(name: string): UnitMessage | undefined {
    return this.#byName.get(name);
  }

  /** Runs a unit with `scope` in its scope, and the keys of its arguments as free identifiers. */
  run(unit: Unit, scope: ScopeNames): Promise<unknown> {
    const inputs = listInputNames(scope.args, this.#isGlobal);
    const values = Object.fromEntries(inputs.map((name) => [name, (scope.args as Record<string, unknown>)[name]]));
    return this.#compile(unit, inputs)({ ...values, ...scope })();
  }

  #compile(unit: Unit, inputs: string[]): Start {
    const key = [unit.name ?? "", ...inputs].join("\n");
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const fault = findSourceFault(unit.code);
    if (fault !== undefined) throw createCodedError(withUnit(fault, unit.name), SyntaxError);
    const start = this.#compartment.evaluate(wrap(unit, [...SCOPE_NAMES, ...inputs])) as Start;
    this.#compiled.set(key, start);
    return start;
  }
}

/**
 * The code is a function of its own inside the one that binds its inputs, so that it may declare their names again,
 * and finds nothing in `this` and `arguments`.
 */
function wrap({ code, name }: Unit, names: readonly string[]): string {
  const url = unitUrl(name);
  return `(function ({ ${names.join(", ")} }) { return async function () {\n${code}\n}; })\n//# sourceURL=${url}`;
}

function withUnit<T extends { details: Record<string, unknown> }>(fault: T, unit: string | undefined): T {
  return unit === undefined ? fault : { ...fault, details: { ...fault.details, unit } };
}
