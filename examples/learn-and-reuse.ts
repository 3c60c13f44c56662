// Twenty tasks, each asked for in ten ways: how often the memory serves a request without a model writing code again.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";

import { createPml } from "@pml/core";

import { drawSummary } from "./learn-and-reuse/draw-summary.js";
import { FILE_TASKS } from "./learn-and-reuse/file-tasks.js";
import { Agent, mixRequests, type Served } from "./learn-and-reuse/serve.js";
import { SHOP_TASKS } from "./learn-and-reuse/shop-tasks.js";
import { CHARACTERS_A_SECOND, summarise, summariseTurns } from "./learn-and-reuse/summary.js";
import { createTools } from "./learn-and-reuse/tools.js";
import { WEB_TASKS } from "./learn-and-reuse/web-tasks.js";
import { createWorld } from "./learn-and-reuse/world.js";

const tasks = [...SHOP_TASKS, ...FILE_TASKS, ...WEB_TASKS];
const world = createWorld();
const { tools, close } = await createTools(world);
const pml = await createPml({ tools });

const served: Served[] = [];
const agent = new Agent(pml, world);
for (const { task, turn } of mixRequests(tasks)) served.push(await agent.serve(task, turn));

console.table(
  Object.fromEntries(
    tasks.map(({ id }) => {
      const { asked, reused, wrong, charactersSaved } = summarise(served.filter(({ task }) => task === id));
      return [id, { asked, reused, wrong, "characters saved": charactersSaved }];
    }),
  ),
);
const total = summarise(served);
const ahead = pml.metrics();
const share = (part: number): string => `${((100 * part) / total.asked).toFixed(1)} %`;
console.log(`
first requests              ${tasks.length}, answered by writing code; another task's code ran for ${total.wrongAtFirst}
later requests              ${total.asked}, with other words, other values and no code
  served by the memory      ${total.reused} (${share(total.reused)}), median ${total.medianReuseMs.toFixed(0)} ms
  written by a model again  ${total.asked - total.reused - total.wrong}
  another task's code ran   ${total.wrong} (${share(total.wrong)})
wrong answers in the end    ${total.mistaken}
characters not written      ${total.charactersSaved} of ${total.charactersSaved + total.charactersWritten}
time saved                  ${total.secondsSaved.toFixed(0)} s, were a model to write ${CHARACTERS_A_SECOND} characters a second
calls begun before asked    ${ahead.prefetches} of ${ahead.toolCalls}: ${ahead.prefetchHits} used (${(100 * ahead.rates.prefetchHit).toFixed(1)} %), ${ahead.prefetchesWasted} for nothing, ${ahead.savedMs.prefetch.toFixed(0)} ms not waited for real tools
`);
for (const { task, intent, said } of served.filter(({ how }) => how === "wrong"))
  console.log(`Wrong: "${intent}" (${task}): ${said}`);
writeFileSync(new URL("../docs/learn-and-reuse.svg", import.meta.url), drawSummary(summariseTurns(served), total));

await pml.close();
await close();

assert.equal(served.length, 200);
assert.equal(total.mistaken, 0, "what the caller gets in the end is right");
assert.equal(total.wrongAtFirst, 0, "nothing runs for a task that was never learned");
assert(total.reused / total.asked >= 0.6, "three of five that come again are served without writing");
assert(total.wrong / total.asked <= 0.03, "another task's code hardly ever runs");
assert(ahead.rates.prefetchHit >= 0.9, "what is begun before it is asked for is hardly ever for nothing");
assert(ahead.savedMs.prefetch > 0, "and it is waited for less");
assert(total.secondsSaved > 0, "asking the memory costs less than writing");
