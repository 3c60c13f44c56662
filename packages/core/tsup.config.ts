import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";

const build: Options = packageBuild({
  entry: {
    index: "src/index.ts",
    testing: "src/testing/index.ts",
    "pglite-worker": "src/store/database/pglite-worker.ts",
    "make-snapshot": "src/store/database/make-snapshot.ts",
  },
  // One folder for all files: the thread and the snapshot are looked for beside the file that wants them.
  dts: {
    entry: { index: "src/index.ts", testing: "src/testing/index.ts" },
    resolve: ["@pml/embeddings"],
    compilerOptions: { ignoreDeprecations: "6.0" },
  },
});

export default build;
