/** Something stored that may be anything: read part by part, believing nothing. */
export type Stored = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listRecords(value: unknown): Stored[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
