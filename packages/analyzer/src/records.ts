/** A plain assignment to `__proto__` would set the prototype, and names come from outside. */
export function define<Value>(record: Record<string, Value>, key: string, value: Value): void {
  if (key !== "__proto__") record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
