import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";

/** What the model says in one turn: a call of a tool, or its last words. */
export type Turn = { tool: string; args: Record<string, unknown> } | { text: string };
export type Script = readonly (Turn | ((last: Record<string, unknown>) => Turn))[];

/** A chat model that goes through a script; a turn may look at what the last tool answered. */
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
    const turn = this.#next(messages);
    const message =
      "text" in turn
        ? new AIMessage(turn.text)
        : new AIMessage({ content: "", tool_calls: [{ ...this.#call(turn), type: "tool_call" }] });
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
    const { id, name, args } = this.#call(turn);
    return (JSON.stringify(args).match(/.{1,7}/gs) ?? []).map((part, index) => {
      const named = index === 0 ? { id, name } : {};
      const chunk = { ...named, args: part, index: 0, type: "tool_call_chunk" as const };
      return new AIMessageChunk({ content: "", tool_call_chunks: [chunk] });
    });
  }

  #next(messages: readonly BaseMessage[]): Turn {
    const step = this.#script[this.#at++] ?? { text: "(the script is over)" };
    const last = messages.at(-1)?.text ?? "";
    return typeof step === "function" ? step(JSON.parse(last) as Record<string, unknown>) : step;
  }

  #call({ tool: name, args }: Exclude<Turn, { text: string }>): {
    id: string;
    name: string;
    args: Record<string, unknown>;
  } {
    return { id: `call-${this.#at}`, name, args };
  }
}
