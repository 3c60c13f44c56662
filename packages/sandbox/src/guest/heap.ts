import { getHeapStatistics } from "node:v8";

const MEGABYTE = 1024 * 1024;
/** The young generation, which V8 does not count against the limit, and some room for what the child itself needs. */
const ALLOWANCE_MB = 24;

/**
 * Whether the heap has outgrown its limit. V8 enforces it, but lets one large object pass, such as a string of 256 MB:
 * a run that ends so is over its limit all the same, and its child is not one to go on with.
 */
export function hasOutgrown(memoryMb: number): boolean {
  return getHeapStatistics().used_heap_size > (memoryMb + ALLOWANCE_MB) * MEGABYTE;
}
