import type { Fault } from "../error.js";
import type { Grant } from "../permissions.js";
import { CAPABILITY_SERVER, type Tool } from "../tool.js";
import { listNearMatches } from "./near-matches.js";

export interface SignpostOptions {
  tools: ReadonlyMap<string, Tool>;
  capabilityNames: readonly string[];
  grant: Grant;
}

/** Comparing a name with all others takes the host's time: code that goes on missing is told no more. */
const MAX_SEARCHES = 20;
const MAX_NAME = 200;

/** Says of names that lead nowhere, or where the run may not go, which ones are near. */
export class Signpost {
  readonly #options: SignpostOptions;
  #searches = 0;

  constructor(options: SignpostOptions) {
    this.#options = options;
  }

  notFound(id: string): Fault {
    const prefix = `${CAPABILITY_SERVER}:`;
    if (id.startsWith(prefix)) return this.#capabilityNotFound(id.slice(prefix.length));
    const tool = id.slice(0, MAX_NAME);
    const suggestions = this.#suggestTools(id);
    return {
      code: "SANDBOX_TOOL_NOT_FOUND",
      message: `There is no tool "${tool}".${didYouMean(suggestions)}`,
      details: { tool, suggestions },
    };
  }

  denied(id: string): Fault {
    const { name } = this.#options.grant;
    const suggestions = this.#suggestTools(id);
    return {
      code: "SANDBOX_TOOL_DENIED",
      message: `The permission set "${name}" of this run does not allow "${id}".${didYouMean(suggestions)}`,
      details: { tool: id, permissions: name, suggestions },
    };
  }

  #capabilityNotFound(name: string): Fault {
    const names = this.#mayLook() ? this.#options.capabilityNames : [];
    const actions = names.filter((each) => each.startsWith(`${name}:`));
    const suggestions = actions.length > 0 ? actions.slice(0, 3) : listNearMatches(name, names);
    const what = actions.length > 0 ? "is a namespace, not a capability" : "is no capability";
    const capability = name.slice(0, MAX_NAME);
    return {
      code: "SANDBOX_CAPABILITY_NOT_FOUND",
      message: `"${capability}" ${what}.${didYouMean(suggestions)}`,
      details: { capability, suggestions },
    };
  }

  /** Only what the run may call: anything else would be a dead end. */
  #suggestTools(id: string): string[] {
    if (!this.#mayLook()) return [];
    const { tools, grant } = this.#options;
    const allowed = [...tools.values()].filter((tool) => grant.allows(tool)).map((tool) => tool.id);
    return listNearMatches(id, allowed);
  }

  #mayLook(): boolean {
    return ++this.#searches <= MAX_SEARCHES;
  }
}

function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? "" : ` Did you mean ${suggestions.map((each) => `"${each}"`).join(" or ")}?`;
}
