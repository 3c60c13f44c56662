// An agent of LangChain with a memory. LangChain's own fake stands in for the model, so that this runs without a key.
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
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createAgent } from "langchain";

const call = (name: string, args: Record<string, unknown>): AIMessage =>
  new AIMessage({ content: "", tool_calls: [{ id: name, name, args, type: "tool_call" }] });
const repeat = (said: BaseMessage[]): AIMessage => new AIMessage(`The tool answered: ${said.at(-1)?.text}`);

const code = 'const now = await mcp.app.weather({ city: "Lyon" }); return `${now.city}: ${now.degrees} °C`;';
const learn = { intent: "how warm is it in Lyon", code, name: "weather:get_degrees" };
const model = fakeModel()
  .respond(call("pml_discover", { intent: "the weather of a city" }))
  .respond(call("pml_execute", learn))
  .respond(repeat);
// #region agent
const agent = createAgent({ model, tools }); // any chat model of LangChain
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "How warm is it in Lyon?" }] });
// #endregion
console.log(messages.at(-1)?.text);
assert.match(messages.at(-1)?.text ?? "", /Lyon: 21 °C/);

// What worked is a tool now, with a parameter where a city was.
const next = createAgent({
  model: fakeModel()
    .respond(call("cap__weather__get_degrees", { city: "Oslo" }))
    .respond(repeat),
  tools: await pmlTools(pml),
});
const question = { messages: [{ role: "user" as const, content: "And in Oslo?" }] };
let said = "";
for await (const [chunk] of await next.stream(question, { streamMode: "messages" }))
  if (chunk.getType() === "ai") said += chunk.text;
console.log(said);
assert.match(said, /Oslo: 21 °C/);

await pml.close();
