import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";

const builds: Options[] = [
  // The two builds run side by side; this one leaves the files of the other alone.
  packageBuild({ entry: ["src/index.ts", "src/testing.ts"], clean: ["!*-main.js"] }),
  // What runs in the child stands alone in one file, so that this file is all the child may read.
  packageBuild({
    entry: ["src/guest/child-main.ts", "src/guest/worker-main.ts"],
    noExternal: [/.*/],
    splitting: false,
    clean: false,
    dts: false,
  }),
];

export default builds;
