import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Options } from "tsup";

import { packageBuild } from "../../tsup.base.js";
import { inlinePage } from "./build/inline-page.js";

const config: Options = packageBuild({ esbuildPlugins: [inlinePage(dirname(fileURLToPath(import.meta.url)))] });

export default config;
