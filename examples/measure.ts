// What the memory is worth is counted, what it should not have done can be said, and what it did is heard.
import assert from "node:assert/strict";

// #region events
import { createPml } from "@pml/core";

const pml = await createPml({
  tools: [
    {
      id: "weather:now",
      description: "The weather of a city now",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      annotations: { readOnlyHint: true },
      execute: ({ city }) => ({ city, degrees: String(city).length }),
    },
  ],
  logger: { warn: (message, details) => console.warn(message, details) },
});
const stop = pml.events((event) => {
  if (event.type === "tool_end") console.log(`  ${event.tool} took ${event.durationMs} ms`);
});
// #endregion

const code = `return (await mcp.weather.now({ city: "Lyon" })).degrees;`;
const first = await pml.execute({ intent: "how warm is it in Lyon?", code });
await pml.execute({ intent: "how warm is it in Oslo?", context: { city: "Oslo" } });
const wrong = await pml.execute({ intent: "how warm is it in Rome?", context: { city: "Rome" } });
assert(first.status === "success" && wrong.status === "success");

// #region feedback
const { traceId } = wrong;
const { threshold } = await pml.feedback({ traceId, ok: false, correction: "in Fahrenheit, please" });
console.log(`It runs by itself now where it is ${(100 * threshold).toFixed(0)} % sure of what is meant.`);
// #endregion

// #region metrics
const { executions, toolCalls, wrongRuns, rates, averageMs } = pml.metrics();
console.log({ executions, toolCalls, wrongRuns, reuse: rates.reuse, averageMs });
// #endregion
assert.deepEqual([executions, wrongRuns, rates.reuse], [3, 1, 1]);

// #region dry-run
// Tried before it is used: each way through the code, with mocks in place of all tools.
const tried = await pml.dryRun({
  code: `
    const { degrees } = await mcp.weather.now({ city });
    if (degrees < 0) return "ice";
    return degrees > 30 ? "heat" : "fine";
  `,
});
for (const { decisions, result } of tried.runs) console.log(decisions, result);
// #endregion
assert.equal(tried.runs.length, 3);

// #region replay
// Would other code have done the same in a run that was? Its tools answer as they did then, and are not called.
const tidier = await pml.replay({
  traceId: first.traceId,
  code: `const { degrees } = await mcp.weather.now({ city: "Lyon" }); return degrees;`,
});
const other = await pml.replay({ traceId: first.traceId, code: code.replace("Lyon", "Paris") });
console.log({ tidier: tidier.same, other: other.same, why: other.differences[0]?.message });
// #endregion
assert.deepEqual([tidier.same, other.same], [true, false]);

const wordings = [
  [
    "temperature",
    "what is the temperature in $?",
    "temperature of $ please",
    "tell me how hot $ is",
    "is it warm in $",
  ],
  [
    "weather",
    "what is the weather like in $",
    "weather report for $",
    "show the current weather of $",
    "$: weather now?",
  ],
  [
    "length",
    "how long is the name of $",
    "count the letters of $",
    "number of characters in $",
    "letters in the word $",
  ],
] as const;
const codes = {
  temperature: "return (await mcp.weather.now({ city: args.city })).degrees;",
  weather: "return mcp.weather.now({ city: args.city });",
  length: "return args.city.length;",
};
const cities = ["Bergen", "Porto", "Turin", "Ghent"];
for (const [task, ...intents] of wordings)
  for (const [at, intent] of intents.entries()) {
    const city = cities[at] ?? "";
    await pml.execute({ intent: intent.replace("$", city), code: codes[task], context: { city } });
  }

// #region evaluate
const { intents, recall, reuse, automatic } = await pml.evaluate();
console.log(`${intents.asked} intents, each asked of a memory that has not heard it; ${intents.repeats} say the same.`);
console.log("finds what serves them:", recall.known.chosen);
console.log("would run something else:", recall.known.wrong);
console.log("needed no code:", reuse.byItself, "of which wrong:", automatic.wrong);
// #endregion
assert(intents.asked >= 10 && recall.known.chosen.of >= 10);
assert(recall.known.chosen.share !== undefined && recall.known.chosen.share >= 0.5, "most are found in other words");
assert.deepEqual([automatic.wrong.count, automatic.wrong.of, automatic.wrong.share], [1, 1, undefined]);
stop();
await pml.close();
