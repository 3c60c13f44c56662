/**
 * The young generation is on top of the old one; small, it keeps a warm child small. Code that allocates a lot is no
 * slower with 2 than with 4 or 16, but a fifth slower with 1.
 */
const SEMI_SPACE_MB = 2;

/** How Node is started for a child. `known` are the flags this version of Node has. */
export function listProcessFlags(
  memoryMb: number,
  entry: string,
  known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags,
): string[] {
  return [
    `--max-old-space-size=${memoryMb}`,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    ...listPermissionFlags(entry, known),
    "--no-addons",
    "--no-warnings",
  ];
}

/** From Node 20 to 23 the permission model has an experimental name; from 25 on it denies the network too. */
function listPermissionFlags(entry: string, known: ReadonlySet<string>): string[] {
  const flag = ["--permission", "--experimental-permission"].find((name) => known.has(name));
  return flag === undefined ? [] : [flag, `--allow-fs-read=${entry}`];
}
