/**
 * Names that the language itself looks up on any object, or that lead to a prototype. Neither a tool nor a capability
 * can be called so: `await mcp.fs` must not call a tool named `then`.
 */
const RESERVED = new Set([
  "__proto__",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "prototype",
  "then",
  "toJSON",
  "toLocaleString",
  "toString",
  "valueOf",
]);

export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}
