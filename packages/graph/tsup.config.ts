import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";

const build: Options = packageBuild();

export default build;
