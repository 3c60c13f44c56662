import type { Scope } from "../model/scope.js";
import type { CurationReport, CurationRequest } from "./curate/curate.js";
import type { HistoryEntry } from "./history.js";
import type { Whois } from "./lookup.js";
import type { Names } from "./names.js";
import type { RecordQuery } from "./query.js";
import type { CapabilityRecord } from "./record.js";

interface Within {
  scope?: Partial<Scope>;
}

/** What a host asks about names most. */
export interface NameCalls {
  /** The record behind a display name, old name, FQDN or id. */
  lookup(name: string, options?: Within): Promise<CapabilityRecord>;
  query(query?: RecordQuery & Within): Promise<CapabilityRecord[]>;
  /** Everything there is to say of a record. */
  whois(name: string, options?: Within): Promise<Whois>;
  /** Its versions with what changed, newest first. */
  history(name: string, options?: Within): Promise<HistoryEntry[]>;
}

export interface Curate {
  /** Finds names for what has none, and parents for what is nearly the same. */
  curate(request: CurationRequest & Within): Promise<CurationReport>;
}

export function createNameCalls(names: Names): NameCalls & Curate {
  const of = (scope: Partial<Scope> = {}): Names => names.withScope(scope);
  return {
    lookup: async (name, { scope } = {}) => of(scope).lookup(name),
    query: async ({ scope, ...asked } = {}) => of(scope).query(asked),
    whois: async (name, { scope } = {}) => of(scope).whois(name),
    history: async (name, { scope } = {}) => of(scope).history(name),
    curate: async ({ scope, ...request }) => of(scope).curate(request),
  };
}
