import { StaticStructureBuilder } from "@pml/analyzer";

import type { SteppedBack } from "../execute/naming.js";
import type { Capability } from "../model/capability.js";
import { resolveScope, type Scope } from "../model/scope.js";
import type { CapabilityStore } from "../store/capability-store.js";
import { assign, type Assignment } from "./assign.js";
import type { Bundle } from "./bundle.js";
import { curate, type CurationReport, type CurationRequest } from "./curate/curate.js";
import { CurationTrigger, type TriggerOptions } from "./curate/curation-trigger.js";
import { exportBundle } from "./export-bundle.js";
import { type Fork, fork } from "./fork.js";
import { history, type HistoryEntry } from "./history.js";
import { type BundleReport, importBundle, type ImportOptions } from "./import-bundle.js";
import { type ListCapabilities, listCapabilities, type ListedCapability } from "./list.js";
import { lookup, type Whois, whois } from "./lookup.js";
import { type Merge, merge } from "./merge.js";
import type { NamesContext, NamesPowers, Verdict } from "./powers.js";
import { query, type RecordQuery } from "./query.js";
import type { CapabilityRecord } from "./record.js";
import { type Removal, remove } from "./remove.js";
import { rename } from "./rename.js";
import { type ResolvedCalls, resolveCalls } from "./resolve-calls.js";
import { type Resolution, resolve } from "./resolve.js";
import { stepBack } from "./step-back.js";
import { tag, type TagChanges } from "./tags.js";
import { rollback, type Update, type Updated, update } from "./update.js";
import { verify } from "./verify.js";

export interface NamesOptions extends Omit<NamesPowers, "analyse"> {
  store: CapabilityStore;
  /** Without tools nothing is known of what these take; pass one that knows the host's. */
  analyse?: NamesPowers["analyse"];
  curation?: Partial<TriggerOptions>;
}

/** What capabilities are called, and what names stand for. A name is a display name, an old one, an FQDN or an id. */
export interface Names {
  /** Names a capability for the first time. */
  assign(assignment: Assignment): Promise<CapabilityRecord>;
  lookup(name: string): Promise<CapabilityRecord>;
  query(query?: RecordQuery): Promise<CapabilityRecord[]>;
  whois(name: string): Promise<Whois>;
  history(name: string): Promise<HistoryEntry[]>;
  rename(from: string, to: string): Promise<CapabilityRecord>;
  tag(name: string, changes: TagChanges): Promise<CapabilityRecord>;
  fork(fork: Fork): Promise<CapabilityRecord>;
  merge(merge: Merge): Promise<CapabilityRecord>;
  /** Lets the name stand for other code from now on, unless recorded runs turn out otherwise with that. */
  update(name: string, change: Update): Promise<Updated>;
  /** `to` is a version: `v1`, `v1.2.0`, `2025-12-22`. */
  rollback(name: string, to: string): Promise<CapabilityRecord>;
  /** Names that stand for this go back to what they stood for before, if that does better and can run. */
  stepBack(capabilityId: string, canRun?: (capability: Capability) => boolean): Promise<SteppedBack[]>;
  remove(name: string): Promise<Removal>;
  /** Replays it; only that makes it `verified`. */
  verify(name: string): Promise<Verdict>;
  /** With a version after `@`, or the latest. Throws for what is not there, or is not what was stored. */
  resolve(name: string): Promise<Resolution>;
  /** For `permissions.capabilities` of an analysis: everything the code may call, fixed before it runs. */
  resolveCapabilities(called: readonly string[]): Promise<ResolvedCalls>;
  curate(request: CurationRequest): Promise<CurationReport>;
  /** To be called after something was learned: curates once enough unnamed capabilities are there. */
  curateWhenDue(): Promise<CurationReport | undefined>;
  listCapabilities(options?: ListCapabilities): Promise<ListedCapability[]>;
  exportBundle(names?: readonly string[]): Promise<Bundle>;
  importBundle(bundle: unknown, options?: ImportOptions): Promise<BundleReport>;
  /** The same names, seen from another scope. */
  withScope(scope: Partial<Scope>): Names;
}

export function createNames({ store, analyse, curation, ...powers }: NamesOptions): Names {
  const builder = new StaticStructureBuilder();
  const read = analyse ?? ((code: string) => builder.build(code));
  return bind({ ...store.context, ...powers, analyse: read }, new CurationTrigger(curation));
}

function bind(context: NamesContext, trigger: CurationTrigger): Names {
  return {
    assign: (assignment) => assign(context, assignment),
    lookup: (name) => lookup(context, name),
    query: (asked) => query(context, asked),
    whois: (name) => whois(context, name),
    history: (name) => history(context, name),
    rename: (from, to) => rename(context, from, { to }),
    tag: (name, changes) => tag(context, name, changes),
    fork: (asked) => fork(context, asked),
    merge: (asked) => merge(context, asked),
    update: (name, change) => update(context, name, change),
    rollback: (name, to) => rollback(context, name, { to }),
    stepBack: (capabilityId, canRun = () => true) => stepBack(context, capabilityId, canRun),
    remove: (name) => remove(context, name),
    verify: (name) => verify(context, name),
    resolve: (name) => resolve(context, name),
    resolveCapabilities: (called) => resolveCalls(context, called),
    curate: (request) => curate(context, request),
    curateWhenDue: () => trigger.check(context),
    listCapabilities: (options) => listCapabilities(context, options),
    exportBundle: (names) => exportBundle(context, names),
    importBundle: (bundle, options) => importBundle(context, bundle, options),
    withScope: (scope) => bind({ ...context, scope: resolveScope(scope, context.scope) }, trigger),
  };
}
