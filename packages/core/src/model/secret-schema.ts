type Schema = Readonly<Record<string, unknown>>;

/** Subschemas that hold for one place of a value. */
export type Schemas = readonly Schema[];

/** How a schema says that a value is secret: `writeOnly`, `format: "password"` or `x-secret`. */
function isMarked({ writeOnly, format, "x-secret": secret }: Schema): boolean {
  return writeOnly === true || format === "password" || secret === true;
}

export function isSecretPlace(schemas: Schemas): boolean {
  return schemas.some(isMarked);
}

const marked = new WeakMap<object, boolean>();

/** The schema where a value begins; none where nothing in it is marked, so that most values cost nothing. */
export function startSchemas(schema: unknown): Schemas {
  if (!isSchema(schema)) return [];
  const known = marked.get(schema) ?? hasMark(schema);
  marked.set(schema, known);
  return known ? flatten(schema, schema) : [];
}

/** What holds for a field of an object that these hold for. */
export function schemasOfField(schemas: Schemas, field: string, root: unknown): Schemas {
  return schemas.flatMap((schema) => {
    const { properties, patternProperties, additionalProperties } = schema;
    const own = isSchema(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
    // A pattern is a stranger's regular expression: it is not run, and holds for every field.
    const rest = own === undefined ? [additionalProperties] : [];
    const patterns = isSchema(patternProperties) ? Object.values(patternProperties) : [];
    return [own, ...patterns, ...rest].flatMap((each) => flatten(each, root));
  });
}

/** What holds for an item of an array that these hold for. */
export function schemasOfItem(schemas: Schemas, index: number, root: unknown): Schemas {
  return schemas.flatMap(({ items, prefixItems }) => {
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const own: unknown = index < tuple.length ? tuple[index] : items;
    return flatten(own, root);
  });
}

const CHOICES = ["allOf", "anyOf", "oneOf"] as const;
const PARTS = ["then", "else"] as const;
const MOST_PARTS = 200;

/** The schema with all it is made of. Of a choice, any: what may be secret is. */
function flatten(schema: unknown, root: unknown): Schema[] {
  const found = new Set<Schema>();
  const left: unknown[] = [schema];
  while (left.length > 0 && found.size < MOST_PARTS) {
    const each = left.pop();
    if (!isSchema(each) || found.has(each)) continue;
    found.add(each);
    for (const word of CHOICES) if (Array.isArray(each[word])) left.push(...(each[word] as unknown[]));
    for (const word of PARTS) left.push(each[word]);
    if (typeof each["$ref"] === "string") left.push(follow(each["$ref"], root));
  }
  return [...found];
}

/** References within the same schema; others lead nowhere here. */
function follow(reference: string, root: unknown): unknown {
  if (!reference.startsWith("#")) return undefined;
  const parts = reference.slice(1).split("/").slice(1);
  return parts.reduce<unknown>((at, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof at === "object" && at !== null && Object.hasOwn(at, name) ? (at as Schema)[name] : undefined;
  }, root);
}

/** Anywhere in it: a schema is small, and looked through once. */
function hasMark(schema: object): boolean {
  const seen = new Set<object>();
  const left: object[] = [schema];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (isMarked(each as Schema)) return true;
    for (const value of Object.values(each))
      if (typeof value === "object" && value !== null) left.push(value as object);
  }
  return false;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
