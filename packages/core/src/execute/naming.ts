import type { Capability } from "../model/capability.js";
import type { TraceResolution } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";

/** What a name stands for. */
export interface Named {
  capability: Capability;
  /** Says that an old name was used. */
  warning: string | undefined;
}

/** What the names in a piece of code stand for, for the whole of a run. */
export interface FixedCalls {
  find(called: string): Capability | undefined;
  resolutions: TraceResolution[];
  warnings: string[];
}

/** A name that was taken back to what did better. */
export interface SteppedBack {
  name: string;
  /** Ids of capabilities. */
  from: string;
  to: string;
  /** The one it stands for again. */
  version: number;
  reason: string;
}

/** What curation found for capabilities without a name, and what it gave them. */
export interface Curated {
  suggestions: readonly { id: string; currentName: string; name: string; reason: string }[];
  applied: readonly { id: string; from: string; name: string }[];
  failed: readonly { id: string; name: string; code: string; message: string }[];
}

/** What executing needs of names. They are kept elsewhere. */
export interface Naming {
  /** By display name, old name, `name@version`, FQDN or id. Throws for what is not there. */
  resolve(context: StoreContext, name: string): Promise<Named>;
  /** Every capability that code may call, through those it calls. */
  fix(context: StoreContext, called: readonly string[]): Promise<FixedCalls>;
  /** Throws unless the name can be given to code of this hash. */
  check(context: StoreContext, name: string, hash: string): Promise<void>;
  assign(context: StoreContext, capabilityId: string, name: string): Promise<void>;
  /** Called after something went wrong: names of a capability that does worse than what it replaced go back to that. */
  stepBack(
    context: StoreContext,
    capabilityId: string,
    canRun: (capability: Capability) => boolean,
  ): Promise<SteppedBack[]>;
  /** Called after something was learned. Undefined when it was not time yet. */
  curateWhenDue(context: StoreContext): Promise<Curated | undefined>;
}
