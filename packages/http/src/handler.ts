import { type Pml, PmlError } from "@pml/core";

import { type Authorize, authorizeRequest } from "./authorize.js";
import { Refusal, toRefusal } from "./problem.js";
import { findRoute, type Found } from "./router.js";

/** Answers a request. It never rejects: whatever goes wrong is a response too. */
export type HttpHandler = (request: Request) => Promise<Response>;

export interface HttpOptions {
  /** Who asks, and whether they may. `"none"`: everybody may do everything; for a handler that only you can reach. */
  authorize: Authorize | "none";
  /** What paths begin with. Default `/api`. */
  basePath?: string;
  /** Of a request's body. Default 65 536. */
  maxBodyBytes?: number;
  /** Called with what became a 500 or 503, of which the client is told nothing. */
  onError?: (error: unknown, request: Request) => void;
}

export const DEFAULT_HTTP_OPTIONS: { basePath: string; maxBodyBytes: number } = {
  basePath: "/api",
  maxBodyBytes: 65_536,
};

/** What of a memory is served. */
type ServedMemory = Pick<Pml, "store">;

export function createHttpHandler(pml: ServedMemory, options: HttpOptions): HttpHandler {
  const { authorize, onError } = options;
  if (authorize !== "none" && typeof authorize !== "function")
    throw new PmlError("PML_INVALID_INPUT", 'Pass `authorize`, a function that says who asks, or write "none" there.');
  const basePath = (options.basePath ?? DEFAULT_HTTP_OPTIONS.basePath).replace(/\/+$/, "");
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_HTTP_OPTIONS.maxBodyBytes;

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const found = findRoute(url.pathname, basePath);
    if (found === undefined) throw notFound(url.pathname);
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: { allow: listMethods(found) } });
    const method = request.method === "HEAD" ? "GET" : request.method;
    const action = Object.hasOwn(found.actions, method) ? found.actions[method] : undefined;
    if (action === undefined) throw notAllowed(request.method, listMethods(found));
    const operation = method === "GET" ? "read" : "write";
    const scope = await authorizeRequest(authorize, request, operation);
    const store = pml.store.withScope(scope);
    const { status, body } = await action({
      store,
      url,
      request,
      parameters: found.parameters,
      basePath,
      maxBodyBytes,
    });
    return respond(status, body);
  }

  /** A host that cannot be told is no reason not to answer. */
  function report(error: unknown, request: Request): void {
    try {
      onError?.(error, request);
    } catch {
      // There is nobody left to tell.
    }
  }

  return async (request) => {
    const response = await answer(request).catch((error: unknown) => {
      const refusal = toRefusal(error);
      if (refusal.problem.status >= 500) report(error, request);
      return respond(refusal.problem.status, refusal.problem, refusal.headers);
    });
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
}

function respond(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const type = status < 400 ? "application/json; charset=utf-8" : "application/problem+json; charset=utf-8";
  return new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: {
      ...(body !== undefined && { "content-type": type }),
      // One scope's answer is not to be kept for another's request.
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

function listMethods({ actions }: Found): string {
  const methods = Object.keys(actions);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
}

function notFound(path: string): Refusal {
  return new Refusal(404, "HTTP_NOT_FOUND", { detail: `There is nothing at ${path.slice(0, 200)}.` });
}

function notAllowed(method: string, allow: string): Refusal {
  const detail = `${method.slice(0, 20)} is not done here. Methods are ${allow}.`;
  return new Refusal(405, "HTTP_METHOD_NOT_ALLOWED", { detail, headers: { allow } });
}
