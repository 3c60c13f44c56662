import { element } from "../element.js";

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  fallback: string | undefined;
}

const DEEPEST = 4;
const MOST_FIELDS = 200;

/** The fields of a JSON Schema, those within others under their path. */
export function showSchema(schema: unknown): HTMLElement {
  const fields = listFields(schema, "", DEEPEST).slice(0, MOST_FIELDS);
  const raw = element(
    "details",
    {},
    element("summary", {}, "As JSON Schema"),
    element("pre", { class: "code", tabindex: 0 }, JSON.stringify(schema, undefined, 2)),
  );
  if (fields.length === 0)
    return element("div", {}, element("p", { class: "quiet" }, "Takes nothing in particular."), raw);
  const rows = fields.map(({ name, type, isRequired, description, fallback }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("code", {}, name)),
      element(
        "td",
        {},
        element("span", { class: "type" }, type),
        isRequired && element("span", { class: "badge" }, "required"),
      ),
      element(
        "td",
        {},
        description,
        fallback !== undefined && element("span", { class: "fallback" }, "default ", element("code", {}, fallback)),
      ),
    ),
  );
  const head = element("tr", {}, ...["Field", "Type", "Meaning"].map((name) => element("th", { scope: "col" }, name)));
  return element(
    "div",
    {},
    element(
      "div",
      { class: "scrolls" },
      element("table", { class: "fields" }, element("thead", {}, head), element("tbody", {}, ...rows)),
    ),
    raw,
  );
}

function listFields(schema: unknown, path: string, depth: number): Field[] {
  const { properties, required } = asRecord(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(asRecord(properties)).flatMap(([name, field]) => {
    const { type, description, default: fallback, items, enum: values } = asRecord(field);
    const inner = type === "array" ? items : field;
    const at = `${path}${name}`;
    return [
      {
        name: at,
        type: describeType(type, { items, values }),
        isRequired: needed.includes(name),
        description: typeof description === "string" ? description : "",
        fallback: fallback === undefined ? undefined : JSON.stringify(fallback),
      },
      ...(depth > 0 ? listFields(inner, type === "array" ? `${at}[].` : `${at}.`, depth - 1) : []),
    ];
  });
}

function describeType(type: unknown, { items, values }: { items: unknown; values: unknown }): string {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(type)) return type.join(" | ");
  if (type === "array")
    return `list of ${describeType(asRecord(items)["type"], { items: undefined, values: undefined })}`;
  return typeof type === "string" ? type : "anything";
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
