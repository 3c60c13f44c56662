import type { Fault } from "../error.js";
import type { UnitMessage } from "../wire/messages.js";
import { createCodedError } from "./coded-error.js";
import { listInputNames, type SCOPE_NAMES } from "./inputs.js";
import { describeSyntax, findForbidden } from "./source.js";
import { isWhole, type Start, wrapCode, type Wrapper } from "./wrapper.js";

/** A piece of code and what it is called in stacks; the run's own code has no name. */
export interface Unit {
  code: string;
  name?: string;
}

export type ScopeNames = Record<(typeof SCOPE_NAMES)[number], unknown>;

export interface UnitsOptions {
  compartment: Compartment;
  globals: Readonly<Record<string, unknown>>;
  isGlobal: (name: string) => boolean;
  capabilities: readonly UnitMessage[];
}

/** Turns units into functions, each once for every set of inputs it is called with. */
export class Units {
  readonly #options: UnitsOptions;
  readonly #byName: Map<string, UnitMessage>;
  readonly #compiled = new Map<string, Start>();

  constructor(options: UnitsOptions) {
    this.#options = options;
    this.#byName = new Map(options.capabilities.map((capability) => [capability.name, capability]));
  }

  find(name: string): UnitMessage | undefined {
    return this.#byName.get(name);
  }

  /** Runs a unit with `scope` in its scope, and the keys of its arguments as free identifiers. */
  run(unit: Unit, scope: ScopeNames): Promise<unknown> {
    const { globals, isGlobal } = this.#options;
    const inputs = listInputNames(scope.args, isGlobal);
    const values = Object.fromEntries(inputs.map((name) => [name, (scope.args as Record<string, unknown>)[name]]));
    return this.#compile(unit, inputs)(globals, { ...values, ...scope })();
  }

  #compile(unit: Unit, inputs: string[]): Start {
    const key = [unit.name ?? "", ...inputs].join("\n");
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const fault = findForbidden(unit.code);
    if (fault !== undefined) throw refuse(unit, fault);
    const wrapper = wrapCode(unit.code, { unit: unit.name, globals: Object.keys(this.#options.globals), inputs });
    const start = this.#evaluate(wrapper);
    if (!isWhole(start, wrapper)) throw refuse(unit, describeSyntax(unit.code));
    this.#compiled.set(key, start);
    return start;
  }

  #evaluate({ source }: Wrapper): unknown {
    try {
      return this.#options.compartment.evaluate(source);
    } catch {
      // Of the engine, of SES, or of code that closed its wrapper: what is wrong is said by who parses the code alone.
      return undefined;
    }
  }
}

function refuse({ name }: Unit, fault: Fault): Error {
  const details = name === undefined ? fault.details : { ...fault.details, unit: name };
  return createCodedError({ ...fault, details }, SyntaxError);
}
