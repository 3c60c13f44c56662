import { MockLanguageModelV3, simulateReadableStream } from "ai/test";

/** What the model says in one turn: a call of a tool, or its last words. */
export type Turn = { tool: string; input: unknown } | { text: string };

type Options = MockLanguageModelV3["doGenerateCalls"][number];
type Generated = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Part = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

const USAGE: Generated["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The SDK's own mock of a model, that goes through a script; a turn may look at what came back from the one before. */
export function createScriptedModel(script: readonly (Turn | ((options: Options) => Turn))[]): MockLanguageModelV3 {
  let at = 0;
  const next = (options: Options): { turn: Turn; id: string } => {
    const step = script[at++] ?? { text: "(the script is over)" };
    return { turn: typeof step === "function" ? step(options) : step, id: `call-${at}` };
  };
  return new MockLanguageModelV3({
    doGenerate: (options) => Promise.resolve(generate(next(options))),
    doStream: (options) => Promise.resolve({ stream: simulateReadableStream({ chunks: stream(next(options)) }) }),
  });
}

function generate({ turn, id }: { turn: Turn; id: string }): Generated {
  const base = { usage: USAGE, warnings: [] };
  if ("text" in turn)
    return { ...base, content: [{ type: "text", text: turn.text }], finishReason: { unified: "stop", raw: undefined } };
  const call = { type: "tool-call", toolCallId: id, toolName: turn.tool, input: JSON.stringify(turn.input) } as const;
  return { ...base, content: [call], finishReason: { unified: "tool-calls", raw: undefined } };
}

/** As models stream: input and text in pieces. */
function stream(step: { turn: Turn; id: string }): Part[] {
  const { content, finishReason, usage } = generate(step);
  const parts = content.flatMap((each): Part[] => {
    if (each.type === "text")
      return [
        { type: "text-start", id: "t" },
        ...each.text.split(/(?= )/).map((delta): Part => ({ type: "text-delta", id: "t", delta })),
        { type: "text-end", id: "t" },
      ];
    if (each.type !== "tool-call") return [];
    const { toolCallId: id, toolName, input } = each;
    const deltas = (input.match(/.{1,7}/gs) ?? []).map((delta): Part => ({ type: "tool-input-delta", id, delta }));
    return [{ type: "tool-input-start", id, toolName }, ...deltas, { type: "tool-input-end", id }, each];
  });
  return [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
}

/** The output of the last tool that was called, as the model is shown it. */
export function lastOutput({ prompt }: Options): Record<string, unknown> {
  const message = prompt.at(-1);
  const part = message?.role === "tool" ? message.content.at(-1) : undefined;
  if (part?.type !== "tool-result" || part.output.type !== "json") throw new Error(JSON.stringify(message));
  return part.output.value as Record<string, unknown>;
}
