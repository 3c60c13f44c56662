// In the place of a chat model: calls tools as told, then says what the last of them answered.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

export class ScriptedModel extends BaseChatModel {
  readonly #script: ToolCall[];

  constructor(script: readonly ToolCall[]) {
    super({});
    this.#script = [...script];
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const call = this.#script.shift();
    const message =
      call === undefined
        ? new AIMessage(`The tool answered: ${messages.at(-1)?.text}`)
        : new AIMessage({ content: "", tool_calls: [{ ...call, id: call.name, type: "tool_call" }] });
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }
}
