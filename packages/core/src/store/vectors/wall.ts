import type { Scope, Visibility } from "../../model/scope.js";

/** Whose something is, and who else may see it. */
export interface Wall {
  org: string;
  project: string;
  /** The actor it is private to; empty for what is the project's. */
  owner: string;
  visibility: Visibility;
}

/** What `visibleFrom` says in SQL, for what is searched in memory. */
export function isVisible({ org, project, owner, visibility }: Wall, scope: Scope): boolean {
  const isOwn = org === scope.org && project === scope.project && (owner === "" || owner === scope.actor);
  return isOwn || (visibility === "org" && org === scope.org) || visibility === "public";
}

/** A wall as the name of a group. */
export function writeWall({ org, project, owner, visibility }: Wall): string {
  return JSON.stringify([org, project, owner, visibility]);
}

export function readWall(group: string): Wall {
  const [org, project, owner, visibility] = JSON.parse(group) as [string, string, string, Visibility];
  return { org, project, owner, visibility };
}
