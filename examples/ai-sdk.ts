// An agent of the Vercel AI SDK with a memory. A script stands in for the model, so that this runs without a key.
import assert from "node:assert/strict";

// #region readme
import { fromAiSdkTools, pmlTools } from "@pml/ai-sdk";
import { createPml } from "@pml/core";
import { tool } from "ai";
import { z } from "zod";

const weather = tool({
  description: "The weather of a city",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, degrees: 21 }),
});
const pml = await createPml({ tools: await fromAiSdkTools({ weather }) });
const tools = await pmlTools(pml);

console.log(Object.keys(tools)); // pml_discover, pml_execute, …, and what has been learned, by name
// #endregion
import { generateText, stepCountIs, streamText } from "ai";

import { createScriptedModel } from "./ai-sdk/scripted-model.js";

const code = 'const now = await mcp.app.weather({ city: "Lyon" }); return `${now.city}: ${now.degrees} °C`;';
let model = createScriptedModel([
  { tool: "pml_discover", input: { intent: "the weather of a city" } },
  { tool: "pml_execute", input: { intent: "how warm is it in Lyon", code, name: "weather:get_degrees" } },
]);
// #region agent
const answer = await generateText({
  model, // any model of the AI SDK
  tools,
  stopWhen: stepCountIs(10),
  prompt: "How warm is it in Lyon?",
});
// #endregion
console.log(answer.text);
assert.match(answer.text, /Lyon: 21 °C/);

// What worked is a tool now, with a parameter where a city was.
const learned = await pmlTools(pml);
assert("cap__weather__get_degrees" in learned);
model = createScriptedModel([{ tool: "cap__weather__get_degrees", input: { city: "Oslo" } }]);
const { textStream } = streamText({ model, tools: learned, stopWhen: stepCountIs(10), prompt: "And in Oslo?" });
let text = "";
for await (const part of textStream) text += part;
console.log(text);
assert.match(text, /Oslo: 21 °C/);

await pml.close();
