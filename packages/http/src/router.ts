import type { Answer, Call } from "./call.js";
import { buildOpenApi } from "./openapi/openapi.js";
import { listCapabilities } from "./routes/capabilities.js";
import { createDependency, listDependencies, removeDependency } from "./routes/dependencies.js";
import { showHypergraph } from "./routes/hypergraph.js";

type Action = (call: Call) => Promise<Answer>;

interface Route {
  path: string;
  actions: Readonly<Record<string, Action>>;
}

const ROUTES: readonly Route[] = [
  { path: "/capabilities", actions: { GET: listCapabilities } },
  { path: "/capabilities/{id}/dependencies", actions: { GET: listDependencies, POST: createDependency } },
  { path: "/capabilities/{id}/dependencies/{to}", actions: { DELETE: removeDependency } },
  { path: "/graph/hypergraph", actions: { GET: showHypergraph } },
  {
    path: "/openapi.json",
    actions: { GET: ({ basePath }) => Promise.resolve({ status: 200, body: buildOpenApi(basePath) }) },
  },
];

export interface Found extends Route {
  parameters: Readonly<Record<string, string>>;
}

export function findRoute(pathname: string, basePath: string): Found | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined;
  const parts = pathname.slice(basePath.length).split("/");
  for (const route of ROUTES) {
    const parameters = matchParts(route.path.split("/"), parts);
    if (parameters !== undefined) return { ...route, parameters };
  }
  return undefined;
}

function matchParts(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] as string;
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name === undefined && part !== expected) return undefined;
    if (name !== undefined) parameters[name] = decodePart(part);
  }
  return parameters;
}

/** Left as it is when it cannot be decoded: it is then the id of nothing. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
