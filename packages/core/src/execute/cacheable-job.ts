import type { Analysis } from "@pml/analyzer";
import type { Permissions } from "@pml/sandbox";

import type { Capability } from "../model/capability.js";
import type { StoreContext } from "../store/context.js";

/** What a result rests on: a job, as far as a cache has to know it. */
export interface CacheableJob {
  readonly mode: string;
  readonly intent: string | undefined;
  readonly capability: Capability | undefined;
  readonly context: StoreContext;
  readonly analysis: Pick<Analysis, "source">;
  readonly closure: {
    readonly tools: readonly string[];
    readonly callees: readonly { readonly name: string; readonly capability: Pick<Capability, "id"> }[];
  };
  readonly inputs: Record<string, unknown>;
  /** What the caller gave, before parameters were filled from it. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly workspace: { readonly versions: ReadonlyMap<string, number> };
  readonly options: { readonly permissions?: Permissions };
}
