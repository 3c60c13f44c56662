import { StaticStructureBuilder } from "@pml/analyzer";
import { createSandbox, type RunEvent, type RunRequest, type RunResult, type ToolCallContext } from "@pml/sandbox";
import { afterAll, describe, expect, it } from "vitest";

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const builder = new StaticStructureBuilder();
const TOOLS = ["fs:list", "fs:read", "fs:write"].map((id) => ({
  id,
  call: async (input: unknown) => ({ id, input, files: ["a", "b"], big: true }),
}));

const CODE = `const load = async (path) => mcp.fs.read({ path });
const { files, big } = await mcp.fs.list({ path: "." });
const read = await Promise.all(files.map(async (path) => load(path)));
const first = await load("first");
if (big) {
  for (const path of files) await mcp.fs.write({ path });
} else {
  await mcp.fs.read({});
}
return read.filter((each) => each.big).length;`;

describe("instrumented code in the sandbox", () => {
  it("names nodes of the structure, iteration by iteration", async () => {
    const { instrumented, structure } = builder.build(CODE);
    const { events, result } = await run({ code: instrumented.code, permissions: "privileged" });
    expect(result).toMatchObject({ status: "success", value: 2 });
    const path = events.flatMap((event) =>
      event.type === "tool_start" || event.type === "decision" ? [describeStep(event)] : [],
    );
    expect(path).toEqual([
      "fs:list n1 ",
      "fs:read n2 0",
      "fs:read n2 1",
      "fs:read n3 ",
      "true d1 ",
      "fs:write n4 0",
      "fs:write n4 1",
      "code:filter n6 ",
    ]);
    const tools = new Map(structure.nodes.flatMap((node) => (node.type === "task" ? [[node.id, node.tool]] : [])));
    for (const step of path.filter((each) => !each.startsWith("true"))) {
      const [tool, node = ""] = step.split(" ");
      expect(tools.get(node)).toBe(tool);
    }
  });

  it("tells tools which step calls them, through capabilities and loops, and what was read from the clock", async () => {
    const seen: { path: string; clock: number }[] = [];
    const tools = [
      {
        id: "fs:read",
        call: (_: unknown, { path, clock }: ToolCallContext) => void seen.push({ path, clock: clock.length }),
      },
    ];
    const inner = builder.build("await mcp.fs.read({ at: Date.now() }); return mcp.fs.read({})").instrumented.code;
    const { instrumented } = builder.build(
      "for (const x of [1, 2]) await capabilities.twice({}); return mcp.fs.read({})",
    );
    const { result } = await run({ code: instrumented.code, tools, capabilities: { twice: { code: inner } } });
    expect(result.status).toBe("success");
    expect(seen).toEqual([
      { path: "/n1[0]/n1", clock: 1 },
      { path: "/n1[0]/n2", clock: 0 },
      { path: "/n1[1]/n1", clock: 1 },
      { path: "/n1[1]/n2", clock: 0 },
      { path: "/n2", clock: 0 },
    ]);
  });

  it("runs what SES would refuse as it was written", async () => {
    const { instrumented } = builder.build(`let n = 2; while (n-->0); return "import('x') <!-- eval(1) -->" + n`);
    const { result } = await run({ code: instrumented.code });
    expect(result).toMatchObject({ value: "import('x') <!-- eval(1) -->-1" });
  });

  it.each(
    `Array ArrayBuffer BigInt Buffer Date Error Function Infinity Intl Iterator JSON Map Math NaN Number Object Promise
    Proxy Reflect RegExp Set String Symbol TextEncoder Uint8Array URL URLSearchParams WeakMap WeakRef WeakSet atob
    console crypto decodeURI encodeURIComponent fetch globalThis isNaN parseInt pml process require setInterval
    setTimeout structuredClone undefined`.split(/\s+/),
  )("has the global %s if the analyzer lets it pass, and only then", async (name) => {
    const { result } = await run({ code: `const value = ${name}; return true`, permissions: "privileged" });
    expect(result.status === "success").toBe(passes(`return ${name}`));
  });
});

async function run(request: RunRequest): Promise<{ events: RunEvent[]; result: RunResult }> {
  const started = sandbox.run({ tools: TOOLS, ...request });
  const events: RunEvent[] = [];
  for await (const event of started.events) events.push(event);
  return { events, result: await started.result };
}

function passes(code: string): boolean {
  try {
    builder.build(code);
    return true;
  } catch {
    return false;
  }
}

function describeStep(event: RunEvent & { type: "tool_start" | "decision" }): string {
  const what = event.type === "decision" ? event.outcome : event.tool;
  return `${what} ${event.nodeId} ${(event.iteration ?? []).join(".")}`;
}
