const MAX_DEPTH = 4;
const MAX_LENGTH = 2000;

/** The words of a JSON Schema: names of fields with their descriptions. What a tool takes often says best what it does. */
export function describeSchema(schema: unknown): string {
  return listFields(schema, 0).join("; ").slice(0, MAX_LENGTH);
}

function listFields(schema: unknown, depth: number): string[] {
  if (!isRecord(schema) || depth > MAX_DEPTH) return [];
  const properties = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return [
    ...properties.flatMap(([name, field]) => [describeField(name, field), ...listFields(field, depth + 1)]),
    ...listFields(schema["items"], depth + 1),
  ];
}

function describeField(name: string, field: unknown): string {
  const description = isRecord(field) && typeof field["description"] === "string" ? field["description"] : "";
  return description === "" ? name : `${name}: ${description}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
