import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";

const build: Options = packageBuild({
  entry: { index: "src/index.ts", pml: "src/pml.ts" },
  dts: { entry: { index: "src/index.ts" }, compilerOptions: { ignoreDeprecations: "6.0" } },
});

export default build;
