import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";

/** What the model says in one turn: a call of a tool, or its last words. */
export type Turn = { tool: string; args: Record<string, unknown> } | { text: string };
export type Script = readonly (Turn | ((last: Record<string, unknown>) => Turn))[];

export function speak(turn: Turn): AIMessage {
  if ("text" in turn) return new AIMessage(turn.text);
  const { tool: name, args } = turn;
  return new AIMessage({ content: "", tool_calls: [{ id: name, name, args, type: "tool_call" }] });
}

/** What the last tool answered. */
export function readLast(messages: readonly BaseMessage[]): Record<string, unknown> {
  return JSON.parse(messages.at(-1)?.text ?? "") as Record<string, unknown>;
}

/**
 * A chat model that goes through a script; a turn may look at what the last tool answered. Those of LangChain either
 * follow a script or stream, and do not tell what they were offered.
 */
export class ScriptedModel extends BaseChatModel {
  /** Tools it was offered, by name. */
  readonly offered: string[] = [];
  readonly #script: Script;
  #at = 0;

  constructor(script: Script) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: BindToolsInput[]): Runnable<BaseLanguageModelInput, AIMessageChunk> {
    this.offered.splice(0, Infinity, ...tools.map((tool) => String((tool as { name?: unknown }).name)));
    return this as unknown as Runnable<BaseLanguageModelInput, AIMessageChunk>;
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = speak(this.#next(messages));
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _: this["ParsedCallOptions"],
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const message of this.#split(this.#next(messages))) {
      const chunk = new ChatGenerationChunk({ text: message.text, message });
      yield chunk;
      await manager?.handleLLMNewToken(message.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  #split(turn: Turn): AIMessageChunk[] {
    if ("text" in turn) return turn.text.split(/(?= )/).map((part) => new AIMessageChunk(part));
    const { tool: name, args } = turn;
    return (JSON.stringify(args).match(/.{1,7}/gs) ?? []).map((part, index) => {
      const named = index === 0 ? { id: `call-${this.#at}`, name } : {};
      const chunk = { ...named, args: part, index: 0, type: "tool_call_chunk" as const };
      return new AIMessageChunk({ content: "", tool_call_chunks: [chunk] });
    });
  }

  #next(messages: readonly BaseMessage[]): Turn {
    const step = this.#script[this.#at++] ?? { text: "(the script is over)" };
    return typeof step === "function" ? step(readLast(messages)) : step;
  }
}
