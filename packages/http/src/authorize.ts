import type { Scope } from "@pml/core";

import { Refusal } from "./problem.js";

/** What the request is about to do. */
export type Operation = "read" | "write";

/**
 * Whose memory is asked: a scope, over that of the memory. Or a refusal: 401 for who is not known, 403 for who may not.
 * `undefined` is a 401.
 */
export type Authorization = Partial<Scope> | { status: 401 | 403; detail?: string; challenge?: string } | undefined;

/** Says who asks. What it throws ends the request, as does anything that is not a scope. */
export type Authorize = (request: Request, details: { operation: Operation }) => Authorization | Promise<Authorization>;

const PARTS: readonly (keyof Scope)[] = ["org", "project", "actor"];

/** The scope to answer in. Fails closed. */
export async function authorizeRequest(
  authorize: Authorize | "none",
  request: Request,
  operation: Operation,
): Promise<Partial<Scope>> {
  if (authorize === "none") return {};
  const answer: unknown = await authorize(request, { operation });
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) throw refuse(401, {});
  if ("status" in answer) throw refuse(answer.status === 403 ? 403 : 401, answer as { detail?: string });
  const unknown = Object.keys(answer).find((key) => !PARTS.includes(key as keyof Scope));
  if (unknown !== undefined) throw new TypeError(`authorize returned "${unknown}", which is no part of a scope.`);
  return answer as Partial<Scope>;
}

function refuse(status: 401 | 403, { detail, challenge }: { detail?: string; challenge?: string }): Refusal {
  if (status === 403)
    return new Refusal(403, "HTTP_FORBIDDEN", { detail: detail ?? "This is not yours to see or to change." });
  return new Refusal(401, "HTTP_UNAUTHORIZED", {
    detail: detail ?? "Say who you are.",
    headers: { "www-authenticate": challenge ?? "Bearer" },
  });
}
