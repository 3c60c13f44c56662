import "ses";

/** Every option is given: those left out would be read from `LOCKDOWN_*` variables, which can weaken them. */
const LOCKDOWN_OPTIONS: Parameters<typeof lockdown>[0] & { overrideDebug: string[] } = {
  errorTaming: "safe",
  errorTrapping: "none",
  reporting: "none",
  unhandledRejectionTrapping: "none",
  regExpTaming: "safe",
  localeTaming: "safe",
  consoleTaming: "unsafe",
  // Without it, agents' everyday `counts["constructor"] = 1` on a plain object would throw.
  overrideTaming: "severe",
  overrideDebug: [],
  stackFiltering: "verbose",
  domainTaming: "safe",
  evalTaming: "safe-eval",
  legacyRegeneratorRuntimeTaming: "safe",
  __hardenTaming__: "safe",
};

/** What SES keeps of the realm's own globals, and our modules use after the lockdown. */
const KEPT = new Set(["globalThis", "Compartment", "harden", "lockdown"]);

type ReadStack = (error: object) => string;
let readStack: ReadStack = () => "";
/** From Node 22 on, the stack of an error is an accessor of its own, the same for all errors. */
const { get: nativeGetter, set: nativeSetter } = Object.getOwnPropertyDescriptor(new Error("probe"), "stack") ?? {};

/** Freezes the realm's intrinsics and takes the host's powers out of its global object. Cannot be undone. */
export function lockRealm(): void {
  lockdown(LOCKDOWN_OPTIONS);
  readStack = (globalThis as unknown as { getStackString: ReadStack }).getStackString;
  // All runs of a child can reach these two.
  harden([nativeGetter, nativeSetter]);
  removeHostGlobals();
}

/** The stack of an error, which code inside a compartment cannot see. Empty if reading it would run code. */
export function getStack(error: object): string {
  const stack = Object.getOwnPropertyDescriptor(error, "stack");
  return stack === undefined || stack.get !== nativeGetter ? "" : readStack(error);
}

/**
 * A second wall: should code ever get out of its compartment, it finds a global object with nothing of Node in it.
 * Our own modules import what they need from `node:` modules.
 */
function removeHostGlobals(): void {
  const language = new Set(Reflect.ownKeys(new Compartment().globalThis));
  for (const name of Reflect.ownKeys(globalThis))
    if (!language.has(name) && !KEPT.has(String(name))) Reflect.deleteProperty(globalThis, name);
}
