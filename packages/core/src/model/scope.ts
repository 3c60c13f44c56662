import { invalidInput } from "./error.js";
import { checkText } from "./text.js";

/** Who asks, and for which project. Nothing is found across the walls between projects. */
export interface Scope {
  org: string;
  project: string;
  /** Fills `createdBy` and `updatedBy`; what is private is this actor's. */
  actor: string;
}

export const DEFAULT_SCOPE: Scope = { org: "local", project: "default", actor: "local" };

export const VISIBILITIES = ["private", "project", "org", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export function checkVisibility<T extends Visibility>(given: T, allowed: readonly T[]): T {
  if (allowed.includes(given)) return given;
  throw invalidInput(`"${String(given).slice(0, 100)}" is no visibility here. There are ${allowed.join(", ")}.`);
}

export function resolveScope(given: Partial<Scope> = {}, base: Scope = DEFAULT_SCOPE): Scope {
  const scope = { ...base, ...given };
  for (const part of ["org", "project", "actor"] as const) checkText(`The scope's ${part}`, scope[part], 200);
  return { org: scope.org, project: scope.project, actor: scope.actor };
}
