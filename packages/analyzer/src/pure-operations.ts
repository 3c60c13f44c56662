/**
 * Calls that only compute: no tool, no clock, no randomness, nothing outside their own values. They need no
 * approval and may run again at will. Methods that change their receiver and return nothing of it (`push`, `splice`,
 * `set`, …) are left out; `sort`, `reverse` and `Object.assign` are in, as they are used for the value they return.
 */
const METHODS = {
  array: `at concat entries every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf
    join keys lastIndexOf map reduce reduceRight reverse slice some sort toReversed toSorted toSpliced values with`,
  string: `charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat
    replace replaceAll search split startsWith substring toLocaleLowerCase toLocaleUpperCase toLowerCase
    toUpperCase trim trimEnd trimStart`,
  number: "toExponential toFixed toLocaleString toPrecision toString",
  date: "getTime toISOString",
  lookup: "get has",
  regexp: "exec test",
};

const STATICS = {
  Array: "from isArray of",
  Date: "UTC parse",
  JSON: "parse stringify",
  Math: `abs acos asin atan atan2 cbrt ceil cos exp floor hypot log log10 log2 max min pow round sign sin sqrt tan
    trunc`,
  Number: "isFinite isInteger isNaN isSafeInteger parseFloat parseInt",
  Object: "assign entries fromEntries groupBy hasOwn keys values",
  String: "fromCharCode fromCodePoint raw",
};

const FUNCTIONS = `atob btoa decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN parseFloat
  parseInt structuredClone Boolean Number String`;

/** Every pure operation by its id: `code:filter` for a method, `code:JSON.parse` for a function of a global. */
export const PURE_OPERATIONS: ReadonlySet<string> = new Set([
  ...Object.values(METHODS).flatMap((names) => split(names).map(operationId)),
  ...Object.entries(STATICS).flatMap(([global, names]) => split(names).map((name) => operationId(`${global}.${name}`))),
  ...split(FUNCTIONS).map(operationId),
]);

export function isPureOperation(id: string): boolean {
  return PURE_OPERATIONS.has(id);
}

export function operationId(name: string): string {
  return `code:${name}`;
}

function split(names: string): string[] {
  return names.split(/\s+/);
}
