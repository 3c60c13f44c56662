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
  if ("status" in answer) throw refuse(answer.status === 403 ? 403 : 401, answer as { detail?: unknown });
  const unknown = Object.keys(answer).find((key) => !PARTS.includes(key as keyof Scope));
  if (unknown !== undefined) throw new TypeError(`authorize returned "${unknown}", which is no part of a scope.`);
  return answer as Partial<Scope>;
}

/** What may stand in a header. A challenge may repeat what came with the request. */
const HEADER_VALUE = /^[\t\x20-\x7e]+$/;

function refuse(status: 401 | 403, { detail, challenge }: { detail?: unknown; challenge?: unknown }): Refusal {
  const said = typeof detail === "string" ? detail : undefined;
  if (status === 403)
    return new Refusal(403, "HTTP_FORBIDDEN", { detail: said ?? "This is not yours to see or to change." });
  const asked = typeof challenge === "string" && HEADER_VALUE.test(challenge) ? challenge : "Bearer";
  return new Refusal(401, "HTTP_UNAUTHORIZED", {
    detail: said ?? "Say who you are.",
    headers: { "www-authenticate": asked },
  });
}
