// What the worker thread runs.
import { parentPort } from "node:worker_threads";

import { serve } from "./serve.js";

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

serve({
  write: (text) => port.postMessage(text),
  listen: (onText) => port.on("message", onText),
});
