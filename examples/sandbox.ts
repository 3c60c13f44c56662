// The shortest use of the sandbox. The region is the example that READMEs show.
import assert from "node:assert/strict";

// #region readme
import { createSandbox } from "@pml/sandbox";

const sandbox = createSandbox();
const tools = [{ id: "weather:now", call: async () => ({ celsius: 21 }) }];
const code = `
  const { celsius } = await mcp.weather.now({ city });
  console.log("asked for", city);
  return city + ": " + celsius + " °C";
`;
const run = sandbox.run({ code, tools, context: { city: "Lyon" } });

for await (const event of run.events) console.log(event.type); // tool_start, tool_end, log
const result = await run.result;
console.log(result.status === "success" ? result.value : result.error.code); // Lyon: 21 °C
await sandbox.close();
// #endregion

assert(result.status === "success");
assert.equal(result.value, "Lyon: 21 °C");
assert.equal(result.usage.toolCalls, 1);
