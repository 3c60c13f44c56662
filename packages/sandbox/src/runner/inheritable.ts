import { readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Lists the descriptors that a process started now would inherit besides its channel. Node marks all it opens, and those
 * up to the first gap beyond 15 that it was started with; what a shell or a supervisor left open further up would pass on
 * to children. Elsewhere than on Linux there is no telling: macOS closes them by itself.
 */
export function createInheritableList(): () => number[] {
  if (process.platform !== "linux") return () => [];
  // They were there from the start: only these are looked at again for each child, however many are open.
  const known = listDescriptors().filter((descriptor) => descriptor > 2 && isInheritable(descriptor));
  return () => known.filter(isInheritable);
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // Closed since: it was the folder's own.
    return false;
  }
}
