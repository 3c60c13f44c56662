// An agent of LangChain with a memory. A script stands in for the model, so that this runs without a key.
import assert from "node:assert/strict";

// #region readme
import { tool } from "@langchain/core/tools";
import { createPml } from "@pml/core";
import { fromLangChainTools, pmlTools } from "@pml/langchain";
import { z } from "zod";

const weather = tool(({ city }) => ({ city, degrees: 21 }), {
  name: "weather",
  description: "The weather of a city",
  schema: z.object({ city: z.string() }),
});
const pml = await createPml({ tools: fromLangChainTools([weather]) });
const tools = await pmlTools(pml);

console.log(tools.map(({ name }) => name)); // pml_discover, pml_execute, …, and what has been learned, by name
// #endregion
import { createAgent } from "langchain";

import { ScriptedModel } from "./langchain/scripted-model.js";

const code = 'const now = await mcp.app.weather({ city: "Lyon" }); return `${now.city}: ${now.degrees} °C`;';
const model = new ScriptedModel([
  { name: "pml_discover", args: { intent: "the weather of a city" } },
  { name: "pml_execute", args: { intent: "how warm is it in Lyon", code, name: "weather:get_degrees" } },
]);
// #region agent
const agent = createAgent({ model, tools }); // any chat model of LangChain
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "How warm is it in Lyon?" }] });
// #endregion
console.log(messages.at(-1)?.text);
assert.match(messages.at(-1)?.text ?? "", /Lyon: 21 °C/);

// What worked is a tool now, with a parameter where a city was.
const next = createAgent({
  model: new ScriptedModel([{ name: "cap__weather__get_degrees", args: { city: "Oslo" } }]),
  tools: await pmlTools(pml),
});
const question = { messages: [{ role: "user" as const, content: "And in Oslo?" }] };
let said = "";
for await (const [chunk] of await next.stream(question, { streamMode: "messages" }))
  if (chunk.getType() === "ai") said += chunk.text;
console.log(said);
assert.match(said, /Oslo: 21 °C/);

await pml.close();
