import { openPglite } from "@pml/core";

import { describeStore } from "./store-suite.js";

describeStore("PGlite", () => openPglite({ dataDir: ":memory:" }));
