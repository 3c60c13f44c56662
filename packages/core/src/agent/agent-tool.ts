import type { PmlEvent } from "../execute/events.js";
import type { Scope } from "../model/scope.js";
import type { Pml } from "../pml.js";

/** The parts of a memory that a model is given. */
export type AgentMemory = Pick<
  Pml,
  "discover" | "execute" | "approve" | "reject" | "getTaskResult" | "names" | "store"
>;

export interface AgentToolsOptions {
  scope?: Partial<Scope>;
  /** How many named capabilities are tools of their own, the most used first. Default 20; 0 for none. */
  capabilities?: number;
  /** Only those of this namespace. */
  namespace?: string;
  /** Which requests belong together; see `ExecuteOptions`. */
  conversation?: string;
}

export const DEFAULT_AGENT_TOOLS: { capabilities: number } = { capabilities: 20 };

export interface AgentCallOptions {
  signal?: AbortSignal;
  onEvent?: (event: PmlEvent) => void;
}

/** A memory as a model sees it: a function with a name, described by a JSON Schema, that takes and gives JSON. */
export interface AgentTool {
  /** In the form that every model API takes. */
  name: string;
  /** As we say it: `pml_execute`, `cap:fs:read_json`. */
  id: string;
  description: string;
  inputSchema: Record<string, unknown>;
  readOnly: boolean;
  /** It answers in the place of a person. Whoever offers it has to ask one first. */
  asksPerson: boolean;
  /** What goes wrong is an answer too, for the model to mend; only being aborted is thrown. */
  call(args: unknown, options?: AgentCallOptions): Promise<unknown>;
}

/** One of the above, before it is made safe to call. */
export type AgentToolDefinition = Omit<AgentTool, "name" | "call"> & {
  run(args: Record<string, unknown>, options: AgentCallOptions): Promise<unknown>;
};
