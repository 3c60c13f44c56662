import type { Options } from "tsup";

/** What every package builds alike; a package passes only what differs. */
export function packageBuild(differences: Options = {}): Options {
  return {
    entry: ["src/index.ts"],
    format: "esm",
    target: "node20",
    clean: true,
    silent: true,
    // tsup sets an option of its own that TypeScript 6 calls deprecated.
    dts: { compilerOptions: { ignoreDeprecations: "6.0" } },
    ...differences,
  };
}
