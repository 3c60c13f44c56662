import { atob, btoa } from "./base64.js";
import { createDate } from "./clock.js";
import { createCodedError } from "./coded-error.js";
import { createMath } from "./random.js";
import type { Timers } from "./timers.js";
import { createUrlClasses } from "./url.js";

/** What the powers of code do in one run. */
export interface Binding {
  /** Undefined where the run's permissions do not include it. */
  now: (() => number) | undefined;
  random: (() => number) | undefined;
  clone: (value: unknown) => unknown;
  timers: Timers;
}

/**
 * The globals that are more than the language. They are made once and hardened, so that runs cannot leave anything in
 * them for each other, and act for the run of the moment: a child has one at a time.
 */
export function createPowers(bound: () => Binding): Record<string, unknown> {
  return harden({
    ...createUrlClasses(),
    Date: createDate(() => (bound().now ?? denyPower("clock"))()),
    Math: createMath(() => (bound().random ?? denyPower("random"))()),
    structuredClone: (value: unknown) => bound().clone(value),
    atob: (text: unknown) => atob(text),
    btoa: (text: unknown) => btoa(text),
    setTimeout: (callback: unknown, delay?: unknown, ...values: unknown[]) =>
      bound().timers.start({ callback, delay, values, repeat: false }),
    setInterval: (callback: unknown, delay?: unknown, ...values: unknown[]) =>
      bound().timers.start({ callback, delay, values, repeat: true }),
    clearTimeout: (id: unknown) => bound().timers.clear(id),
    clearInterval: (id: unknown) => bound().timers.clear(id),
  });
}

function denyPower(power: "clock" | "random"): never {
  throw createCodedError({
    code: "SANDBOX_POWER_DENIED",
    message: `The permissions of this run do not include the ${power}. Pass the value as an input instead.`,
    details: { power },
  });
}
