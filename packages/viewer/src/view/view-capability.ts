import { type Capability, type Discovered, shortenFqdn } from "@pml/core";

import type {
  CapabilityView,
  LearningView,
  RecordView,
  RelatedView,
  StatisticsView,
  VersionView,
} from "../memory-view.js";
import type { ResolvedOptions } from "../options.js";
import type { GatheredCapability } from "../read/gather.js";
import type { Communities } from "./communities.js";
import type { Lookups } from "./lookups.js";
import { readStructure } from "./read-structure.js";
import { isRecord, listTexts, readText, type Stored } from "./record.js";
import { shorten, showValue } from "./shorten.js";
import { keyOfCapability, labelOf, type Things } from "./things.js";
import { viewRun } from "./view-run.js";

interface Surroundings {
  things: Things;
  lookups: Lookups;
  communities: Communities;
  options: ResolvedOptions;
}

const CODE = 50_000;
const DIFF = 20_000;
const EXAMPLE = 300;
const MOST_ASKED = 12;
const MOST_WAYS = 6;
const MOST_RELATED = 8;

export function viewCapability(given: GatheredCapability, surroundings: Surroundings): CapabilityView {
  const { capability } = given;
  const { lookups, communities, options } = surroundings;
  const { id, description, learning, parameters } = capability;
  const permissions = isRecord(capability.permissions) ? capability.permissions : {};
  const defaults = readDefaults(parameters);
  const [structure, permissionSet] = [readStructure(capability.structure), readText(permissions["set"])];
  const [record, community] = [viewRecord(given), communities.of.get(keyOfCapability(id))];
  return {
    ...describe(capability),
    ...(description !== undefined && { description }),
    ...viewSource(capability),
    ...(structure !== undefined && { structure }),
    learning: viewLearning(learning),
    ...(parameters !== undefined && { parameters }),
    ...(permissionSet !== undefined && { permissionSet }),
    tools: capability.toolsUsed,
    calls: listTexts(permissions["capabilities"]),
    ...(community !== undefined && { community }),
    ...(record !== undefined && { record }),
    versions: given.versions.map(viewVersion),
    examples: given.examples.map(({ literals }) => shorten(showValue(literals, EXAMPLE) ?? "", EXAMPLE)),
    dependencies: [...(lookups.dependencies.get(id) ?? [])],
    related: given.related
      .filter((each) => isCurrent(each, surroundings))
      .slice(0, MOST_RELATED)
      .map(viewRelated),
    asked: (lookups.asked.get(id) ?? []).slice(0, MOST_ASKED),
    runs: given.traces.map((trace) => viewRun(trace, { values: options.values, defaults })),
  };
}

type Description = Pick<
  CapabilityView,
  | "id"
  | "name"
  | "isNamed"
  | "intent"
  | "status"
  | "verified"
  | "visibility"
  | "createdBy"
  | "createdAtMs"
  | "updatedAtMs"
  | "statistics"
>;

function describe(capability: Capability): Description {
  const { id, name, intent, status, verified, visibility, createdBy } = capability;
  return {
    id,
    name: labelOf(capability),
    isNamed: name !== undefined,
    intent,
    status,
    verified,
    visibility,
    createdBy,
    createdAtMs: capability.createdAt.getTime(),
    updatedAtMs: capability.updatedAt.getTime(),
    statistics: viewStatistics(capability.statistics),
  };
}

function viewStatistics(statistics: Capability["statistics"]): StatisticsView {
  const { usageCount: uses, successCount: successes, failureCount: failures } = statistics;
  const { averageDurationMs: averageMs, lastUsedAt } = statistics;
  return {
    uses,
    successes,
    failures,
    ...(averageMs !== undefined && { averageMs }),
    ...(lastUsedAt !== undefined && { lastUsedAtMs: lastUsedAt.getTime() }),
  };
}

function viewSource({
  source,
  parameterisedCode,
}: Capability): Pick<CapabilityView, "sourceType" | "code" | "parameterisedCode"> {
  const text =
    source.type === "code"
      ? source.code
      : JSON.stringify(source.type === "dag" ? source.dagStructure : source, undefined, 2);
  const differs = source.type === "code" && parameterisedCode !== undefined && parameterisedCode !== source.code;
  return {
    sourceType: source.type,
    code: shorten(text, CODE),
    ...(differs && { parameterisedCode: shorten(parameterisedCode, CODE) }),
  };
}

function readDefaults(parameters: unknown): Stored {
  const properties = isRecord(parameters) && isRecord(parameters["properties"]) ? parameters["properties"] : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isRecord(schema) ? schema["default"] : undefined]),
  );
}

function viewLearning({ paths, decisions }: Capability["learning"]): LearningView {
  const visits = new Map<string, number>();
  for (const { nodes, count } of paths) for (const id of nodes) visits.set(id, (visits.get(id) ?? 0) + count);
  return {
    runs: paths.reduce((sum, { count }) => sum + count, 0),
    visits: [...visits],
    decisions: [...decisions],
    ways: paths.slice(0, MOST_WAYS).map(({ nodes, count, successes }) => ({ nodes, count, successes })),
  };
}

function viewRecord({ record }: GatheredCapability): RecordView | undefined {
  if (record === undefined) return undefined;
  const { fqdn, version, versionTag, aliases, tags } = record;
  return { fqdn: shortenFqdn(fqdn), version, ...(versionTag !== undefined && { versionTag }), aliases, tags };
}

function viewVersion(entry: GatheredCapability["versions"][number]): VersionView {
  const { version, versionTag, updatedBy, updatedAt, changeSummary, diff } = entry;
  return {
    version,
    ...(versionTag !== undefined && { versionTag }),
    updatedBy,
    updatedAtMs: updatedAt.getTime(),
    ...(changeSummary !== undefined && { summary: changeSummary }),
    diff: shorten(diff, DIFF),
  };
}

/** An older version says no more than the name that it was one of. */
function isCurrent({ type, id }: Discovered, { things }: Surroundings): boolean {
  return type === "tool" || things.findCapability(id) === id;
}

function viewRelated({ type: kind, id, score, reason }: Discovered): RelatedView {
  return { kind, id, score, reason };
}
