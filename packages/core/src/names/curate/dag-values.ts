import type { DagFrom, DagParam, DagValue } from "@pml/analyzer";

export function isRecord(value: unknown): value is Readonly<Record<string, DagValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isFrom(value: DagValue): value is DagFrom {
  return isRecord(value) && typeof value["$from"] === "string";
}

export function isParam(value: DagValue): value is DagParam {
  return isRecord(value) && typeof value["$param"] === "string";
}

/** Whether anything in it is known only at run time. */
export function holdsReference(value: DagValue): boolean {
  if (isFrom(value) || isParam(value)) return true;
  if (isRecord(value) && Object.hasOwn(value, "$literal")) return false;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value as object).some((each: DagValue) => holdsReference(each));
}
