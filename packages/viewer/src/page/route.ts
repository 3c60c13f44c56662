export type Route =
  | { page: "map" | "runs"; at?: string }
  | { page: "list" }
  | { page: "capability" | "tool"; id: string };

const PAGES: readonly string[] = ["map", "runs", "list", "capability", "tool"];

/** What the part of the address after `#` asks for; the map for whatever is not understood. */
export function readRoute(hash: string): Route {
  const [page = "", ...rest] = hash.replace(/^#?\/?/, "").split("/");
  const at = decode(rest.join("/"));
  if (!PAGES.includes(page)) return { page: "map" };
  if (page === "list") return { page };
  if (page === "capability" || page === "tool") return at === "" ? { page: "map" } : { page, id: at };
  return { page: page as "map" | "runs", ...(at !== "" && { at }) };
}

export function writeRoute(route: Route): string {
  const at = "id" in route ? route.id : "at" in route ? route.at : undefined;
  return at === undefined ? `#/${route.page}` : `#/${route.page}/${encodeURIComponent(at)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
