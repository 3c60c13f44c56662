import type { Fault } from "../error.js";
import type { UnitMessage } from "../wire/messages.js";
import { createCodedError } from "./coded-error.js";
import { listInputNames, SCOPE_NAMES } from "./inputs.js";
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

interface Compiled {
  start: Start;
  /** Whose values it is given, in order. */
  names: readonly string[];
}

/** Turns units into functions, each once for every set of inputs it is called with. */
export class Units {
  readonly #options: UnitsOptions;
  readonly #byName: Map<string, UnitMessage>;
  readonly #compiled = new Map<string, Compiled>();

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
    const args = scope.args as Record<string, unknown>;
    const inputs = listInputNames(args, isGlobal);
    const { start, names } = this.#compile(unit, inputs);
    const values = names.map((name) => {
      if (Object.hasOwn(scope, name)) return scope[name as keyof ScopeNames];
      return Object.hasOwn(globals, name) ? globals[name] : args[name];
    });
    return start(...values)();
  }

  #compile(unit: Unit, inputs: string[]): Compiled {
    const key = [unit.name ?? "", ...inputs].join("\n");
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const fault = findForbidden(unit.code);
    if (fault !== undefined) throw refuse(unit, fault);
    const names = [...Object.keys(this.#options.globals), ...SCOPE_NAMES, ...inputs];
    const wrapper = wrapCode(unit.code, names, unit.name);
    const start = this.#evaluate(wrapper);
    if (!isWhole(start, wrapper)) throw refuse(unit, describeSyntax(unit.code));
    const compiled = { start, names: wrapper.names };
    this.#compiled.set(key, compiled);
    return compiled;
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
