import { PmlError } from "../model/error.js";
import { showText } from "../model/text.js";

/** Which version is meant: `latest`, `v1`, `v1.2`, `v1.2.0`, or the one of a day. */
export type VersionSpecifier =
  | { kind: "latest" }
  | { kind: "tag"; numbers: readonly number[] }
  | { kind: "date"; date: string };

/** What a version has to be chosen by. */
export interface Dated {
  version: number;
  versionTag: string | undefined;
  updatedAt: Date;
}

const TAG = /^v(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8}))?(?:\.(0|[1-9]\d{0,8}))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

export function parseVersion(text: string): VersionSpecifier {
  if (text === "latest") return { kind: "latest" };
  const numbers = parseTag(text);
  if (numbers !== undefined) return { kind: "tag", numbers };
  if (DATE.test(text) && isDay(text)) return { kind: "date", date: text };
  throw invalidVersion(text, "write @latest, @v1, @v1.2.0 or @2025-12-22.");
}

export function formatVersion(specifier: VersionSpecifier): string {
  if (specifier.kind === "latest") return "latest";
  return specifier.kind === "date" ? specifier.date : `v${specifier.numbers.join(".")}`;
}

export function checkVersionTag(tag: string): string {
  if (typeof tag !== "string" || parseTag(tag) === undefined)
    throw invalidVersion(tag, "a version's tag is v1, v1.2 or v1.2.0.");
  return tag;
}

/**
 * The version meant. `v1` is the newest tagged v1, v1.x or v1.x.y; where none is tagged so, the version numbered 1. A
 * day means what was in force when it ended, in UTC.
 */
export function chooseVersion<T extends Dated>(versions: readonly T[], specifier: VersionSpecifier): T | undefined {
  const byNumber = [...versions].sort((a, b) => b.version - a.version);
  if (specifier.kind === "latest") return byNumber[0];
  if (specifier.kind === "date") {
    const end = Date.parse(`${specifier.date}T00:00:00Z`) + DAY_MS;
    return byNumber.find(({ updatedAt }) => updatedAt.getTime() < end);
  }
  const { numbers } = specifier;
  const tagged = byNumber.filter(({ versionTag }) => startsWith(parseTag(versionTag ?? ""), numbers));
  const newest = tagged.sort((a, b) => compareTags(b.versionTag, a.versionTag))[0];
  return newest ?? (numbers.length === 1 ? byNumber.find(({ version }) => version === numbers[0]) : undefined);
}

function parseTag(text: string): number[] | undefined {
  const [, ...numbers] = TAG.exec(text) ?? [];
  return numbers.length === 0 ? undefined : numbers.filter((each) => each !== undefined).map(Number);
}

function startsWith(tag: readonly number[] | undefined, numbers: readonly number[]): boolean {
  return tag !== undefined && numbers.every((each, index) => (tag[index] ?? 0) === each);
}

function compareTags(a: string | undefined, b: string | undefined): number {
  const [left, right] = [parseTag(a ?? "") ?? [], parseTag(b ?? "") ?? []];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function invalidVersion(text: unknown, rule: string): PmlError {
  const shown = showText(text, 50);
  return new PmlError("PML_NAME_INVALID", `"${shown}" is not a version: ${rule}`, {
    details: { version: shown, rule: "version" },
  });
}
