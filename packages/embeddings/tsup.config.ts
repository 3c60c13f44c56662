import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";

const build: Options = packageBuild({
  entry: { index: "src/index.ts", testing: "src/testing.ts", "model-worker": "src/model/model-worker.ts" },
  dts: { entry: ["src/index.ts", "src/testing.ts"], compilerOptions: { ignoreDeprecations: "6.0" } },
});

export default build;
