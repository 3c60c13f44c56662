import { StaticStructureBuilder, dagToCode, type DAGStructure } from "@pml/analyzer";
import type { NamesPowers, Replayable, ResolvedCalls, SampleTrace, Verdict } from "@pml/core";
import type { RunResult, Sandbox, Tool } from "@pml/sandbox";

const builder = new StaticStructureBuilder();

/** Powers on a real sandbox: replays against recorded results, and dry runs with empty ones. */
export function createPowers(sandbox: Sandbox): Pick<NamesPowers, "verify" | "tryVersion" | "dryRun"> {
  return {
    verify: async (capability, samples) => {
      for (const sample of samples) {
        const verdict = await replay(sandbox, capability, sample);
        if (!verdict.ok) return verdict;
      }
      return { ok: true };
    },
    // What these stores hold of runs was made up, so that it proves nothing.
    tryVersion: async () => ({ verdict: "unproven", traceIds: [], differences: [] }),
    dryRun: async (analysis, calls) => {
      const tools = [...analysis.permissions.tools, ...listTools(calls)].map((id): Tool => ({ id, call: () => ({}) }));
      const result = await run(sandbox, { code: analysis.source, tools, calls });
      return result.status === "success" ? { ok: true } : { ok: false, reason: result.error.message };
    },
  };
}

export async function run(
  sandbox: Sandbox,
  { code, tools, calls, args = {} }: { code: string; tools: readonly Tool[]; calls?: ResolvedCalls; args?: object },
): Promise<RunResult> {
  const distinct = [...new Map(tools.map((tool) => [tool.id, tool])).values()];
  return sandbox.run({
    code: builder.build(code).instrumented.code,
    tools: distinct,
    capabilities: toUnits(calls),
    context: { ...args },
    permissions: "privileged",
  }).result;
}

export function codeOf({ source, parameterisedCode }: Pick<Replayable, "source" | "parameterisedCode">): string {
  if (source.type === "code") return parameterisedCode ?? source.code;
  if (source.type === "dag") return dagToCode(source.dagStructure as DAGStructure);
  const [server, name] = source.toolId.split(":");
  return `return mcp[${JSON.stringify(server)}][${JSON.stringify(name)}](args);`;
}

export function defaultsOf({ parameters }: Pick<Replayable, "parameters">): Record<string, unknown> {
  const { properties = {} } = (parameters ?? {}) as { properties?: Record<string, { default?: unknown }> };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      schema.default === undefined ? [] : [[name, schema.default]],
    ),
  );
}

async function replay(sandbox: Sandbox, capability: Replayable, sample: SampleTrace): Promise<Verdict> {
  const left = [...sample.tasks];
  const tools = [...new Set(left.map(({ tool }) => tool))].map((id): Tool => ({
    id,
    call: () => {
      const at = left.findIndex(({ tool }) => tool === id);
      const [task] = left.splice(at, 1);
      if (at === -1 || task === undefined) throw new Error(`${id} was not called in the sample`);
      return task.result;
    },
  }));
  const args = { ...defaultsOf(capability), ...(sample.args as object) };
  const result = await run(sandbox, { code: codeOf(capability), tools, args });
  if (result.status === "error") return { ok: false, reason: result.error.message };
  const isSame = JSON.stringify(result.value ?? null) === JSON.stringify(sample.result);
  return isSame ? { ok: true } : { ok: false, reason: `it gave ${JSON.stringify(result.value)}` };
}

function toUnits(
  calls: ResolvedCalls | undefined,
): { name: string; code: string; defaults: Record<string, unknown> }[] {
  return (calls?.resolutions ?? []).flatMap(({ called }) => {
    const capability = calls?.find(called);
    if (capability === undefined) return [];
    const { instrumented } = builder.build(codeOf(capability));
    return [{ name: called, code: instrumented.code, defaults: defaultsOf(capability) }];
  });
}

function listTools(calls: ResolvedCalls): string[] {
  return calls.resolutions.flatMap(({ called }) => calls.find(called)?.toolsUsed ?? []);
}
