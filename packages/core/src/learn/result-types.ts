import { type LearnedType, mergeTypes, type TypeFact, typeOfValue } from "@pml/graph";

import type { Redact } from "../model/redact.js";
import type { LoggedCall } from "./run-log.js";

/** What code reads of a value: its fields, and its items. */
interface FieldsRead {
  readonly fields: ReadonlyMap<string, FieldsRead>;
  readonly items: FieldsRead | undefined;
}

/** What the code around a call reads of what that gave. */
export type FindReads = (call: LoggedCall) => FieldsRead | undefined;

/** One run says of a tool once what its results are, however often a loop called it. */
export function listTypeFacts(traceId: string, calls: readonly LoggedCall[], findReads: FindReads): TypeFact[] {
  const types = new Map<string, LearnedType>();
  for (const call of calls) {
    if (call.kind !== "tool" || !call.success || call.result === undefined) continue;
    const type = markUsed(typeOfValue(call.result), findReads(call));
    const known = types.get(call.name);
    types.set(call.name, known === undefined ? type : mergeTypes(known, type));
  }
  return [...types].map(([tool, type]) => ({ kind: "type", tool, type, trace: traceId }));
}

/** A name that code has read comes from whoever wrote the code; any other, from the tool alone. */
function markUsed(type: LearnedType, reads: FieldsRead | undefined): LearnedType {
  if (reads === undefined) return type;
  if (type.kind === "array") return { ...type, items: markUsed(type.items, reads.items) };
  if (type.kind === "union") return { ...type, of: type.of.map((member) => markUsed(member, reads)) };
  if (type.kind !== "object") return type;
  const fields = type.fields.map((field) => {
    const inner = reads.fields.get(field.name);
    return inner === undefined ? field : { ...field, type: markUsed(field.type, inner), used: true as const };
  });
  return { ...type, fields };
}

/**
 * Only the names of fields that the code does not say itself are the tool's: a result with the secret `object` must not
 * take that word out of types.
 */
export function redactNames(type: LearnedType, redact: { redact: Redact; redactSaid: Redact }): LearnedType {
  if (type.kind === "array") return { ...type, items: redactNames(type.items, redact) };
  if (type.kind === "union") return { ...type, of: type.of.map((member) => redactNames(member, redact)) };
  if (type.kind !== "object") return type;
  const clean = type.fields.map((field) => ({
    ...field,
    name: field.used === true ? redact.redactSaid(field.name) : redact.redact(field.name),
    type: redactNames(field.type, redact),
  }));
  return { ...type, fields: clean };
}
