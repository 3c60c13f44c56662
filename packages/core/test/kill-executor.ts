// Executes without end and says what was acknowledged; started by kill-execute.slow.test.ts, and killed.
import { createPml } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";

import { createLogTools, WORK } from "./kill-world.js";

const [dataDir = "", logFile = "", round = ""] = process.argv.slice(2);
const pml = await createPml({
  dataDir,
  embedder: createHashEmbedder(),
  tools: createLogTools(logFile),
  sandbox: { pool: { size: 2, warm: 2 } },
});
console.log("open");
await Promise.all([0, 1, 2].map(executeForever));

async function executeForever(caller: number): Promise<never> {
  for (let count = 0; ; count++) {
    const work = WORK[(caller + count) % WORK.length] as (typeof WORK)[number];
    const run = `${round}.${caller}.${count}`;
    const answer = await pml.execute({ ...work, context: { run } });
    // Nothing else may come back: whatever goes wrong here is a failure of the test.
    if (answer.status !== "success") throw new Error(JSON.stringify(answer));
    console.log(`${answer.traceId} ${answer.workflowId} ${run}`);
  }
}
