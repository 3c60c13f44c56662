import type { Analysis } from "@pml/analyzer";

import type { Trial, Versions } from "../execute/trial/try-version.js";
import type { Capability, CapabilitySource } from "../model/capability.js";
import type { Trace, TraceTask } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";
import type { ResolvedCalls } from "./resolve-calls.js";

/** A run that went well, as a replay needs it. */
export interface SampleTrace {
  args: unknown;
  result: unknown;
  tasks: readonly Pick<
    TraceTask,
    "taskId" | "nodeId" | "iteration" | "tool" | "args" | "result" | "success" | "error"
  >[];
  executedPath: readonly string[];
  decisions: readonly { nodeId: string; outcome: string }[];
  /** Clock and random numbers that the run saw. */
  recording?: unknown;
}

export type Verdict = { ok: true } | { ok: false; reason: string };

/** What is replayed: a capability that is stored, or one that asks to be. */
export interface Replayable {
  source: CapabilitySource;
  intent: string;
  name?: string | undefined;
  parameterisedCode?: string | undefined;
  parameters?: unknown;
  permissions?: unknown;
}

/** What names cannot do by themselves. */
export interface NamesPowers {
  /** Reads code. Throws for code that cannot be. */
  analyse(code: string): Analysis;
  /** Runs it in the sandbox, its tools answering as they did in the samples; it passes if it gives what it gave. */
  verify(capability: Replayable, samples: readonly SampleTrace[], context: StoreContext): Promise<Verdict>;
  /** Runs a new version against recorded runs of the one before, and says whether it does the same. */
  tryVersion(versions: Versions, traces: readonly Trace[], context: StoreContext): Promise<Trial>;
  /** Runs code with made-up arguments and results, and no real tool. `calls` is what the names in it stand for. */
  dryRun(analysis: Analysis, calls: ResolvedCalls, context: StoreContext): Promise<Verdict>;
  /** A host's model, asked for a name. What it says is checked like any other; nothing, and the rules decide. */
  nameWith?(capability: Capability): Promise<string | undefined> | string | undefined;
}

/** What every part of names works with. */
export type NamesContext = StoreContext & NamesPowers;
