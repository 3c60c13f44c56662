/** `erwan@*` as a pattern of SQL's `like`: `*` is anything, `?` one character, and nothing else is special. */
export function globToLike(glob: string): string {
  return glob
    .replace(/[\\%_]/g, (each) => `\\${each}`)
    .replaceAll("*", "%")
    .replaceAll("?", "_");
}
