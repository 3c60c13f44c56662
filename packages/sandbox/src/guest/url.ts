import { URL as NodeUrl } from "node:url";

import { GuestSearchParams } from "./search-params.js";

const TEXT_PROPERTIES = [
  "hash",
  "host",
  "hostname",
  "href",
  "password",
  "pathname",
  "port",
  "protocol",
  "search",
  "username",
] as const;

const inners = new WeakMap<GuestUrl, { url: NodeUrl; searchParams: GuestSearchParams }>();

/** As `GuestSearchParams`: what code gets is ours, and only text passes between it and Node's. */
class GuestUrl {
  constructor(text: unknown, base?: unknown) {
    const url = parseUrl(String(text), base === undefined ? undefined : String(base));
    inners.set(this, { url, searchParams: new GuestSearchParams(url.searchParams) });
  }
  static canParse(text: unknown, base?: unknown): boolean {
    return NodeUrl.canParse(String(text), base === undefined ? undefined : String(base));
  }
  get origin(): string {
    return inner(this).url.origin;
  }
  get searchParams(): GuestSearchParams {
    return inner(this).searchParams;
  }
  toString(): string {
    return inner(this).url.href;
  }
  toJSON(): string {
    return inner(this).url.href;
  }
}

/** The two classes under the names that code knows. Call once, before they are hardened. */
export function createUrlClasses(): Record<"URL" | "URLSearchParams", unknown> {
  for (const name of TEXT_PROPERTIES) defineTextProperty(name);
  nameClass(GuestUrl, "URL");
  nameClass(GuestSearchParams, "URLSearchParams");
  return { URL: GuestUrl, URLSearchParams: GuestSearchParams };
}

function defineTextProperty(name: (typeof TEXT_PROPERTIES)[number]): void {
  Object.defineProperty(GuestUrl.prototype, name, {
    get(this: GuestUrl) {
      return inner(this).url[name];
    },
    set(this: GuestUrl, value: unknown) {
      try {
        inner(this).url[name] = String(value);
      } catch {
        throw new TypeError("Invalid URL");
      }
    },
  });
}

function nameClass(constructor: { prototype: object }, name: string): void {
  Object.defineProperty(constructor, "name", { value: name });
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, { value: name });
}

function inner(url: GuestUrl): { url: NodeUrl; searchParams: GuestSearchParams } {
  const found = inners.get(url);
  if (found === undefined) throw new TypeError("Illegal invocation");
  return found;
}

function parseUrl(text: string, base: string | undefined): NodeUrl {
  try {
    return new NodeUrl(text, base);
  } catch {
    throw new TypeError(`Invalid URL: ${text.slice(0, 200)}`);
  }
}
