// In the place of a language model: calls tools as told, then says what the last of them answered.
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";

export interface ToolCall {
  tool: string;
  input: unknown;
}

type Generated = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Prompt = MockLanguageModelV3["doGenerateCalls"][number]["prompt"];

const USAGE: Generated["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function createScriptedModel(script: readonly ToolCall[]): MockLanguageModelV3 {
  const rest = [...script];
  return new MockLanguageModelV3({
    doGenerate: ({ prompt }) => {
      const call = rest.shift();
      const content: Generated["content"] = [call === undefined ? say(prompt) : ask(call)];
      return Promise.resolve({ content, finishReason: finish(call), usage: USAGE, warnings: [] });
    },
    doStream: ({ prompt }) => {
      const call = rest.shift();
      const { text } = say(prompt);
      const spoken = [
        { type: "text-start", id: "1" } as const,
        ...text.split(/(?= )/).map((delta) => ({ type: "text-delta", id: "1", delta }) as const),
        { type: "text-end", id: "1" } as const,
      ];
      const end = { type: "finish", finishReason: finish(call), usage: USAGE } as const;
      const chunks = [...(call === undefined ? spoken : [ask(call)]), end];
      return Promise.resolve({ stream: simulateReadableStream({ chunks }) });
    },
  });
}

function ask({ tool, input }: ToolCall): Extract<Generated["content"][number], { type: "tool-call" }> {
  return { type: "tool-call", toolCallId: tool, toolName: tool, input: JSON.stringify(input) };
}

function say(prompt: Prompt): { type: "text"; text: string } {
  return { type: "text", text: `The tool answered: ${JSON.stringify(prompt.at(-1)?.content)}` };
}

function finish(call: ToolCall | undefined): Generated["finishReason"] {
  return { unified: call === undefined ? "stop" : "tool-calls", raw: undefined };
}
