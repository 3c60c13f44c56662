import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";

const config: Options = packageBuild();

export default config;
