import type { Database, ExecuteRequest, Pml, PmlEvent, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";

const { open } = usePml();

/** Each has to be found nowhere; no pattern would know any but the first. */
const KEY = "sk-live-a1B2c3D4e5F6g7H8i9J0";
const PASSWORD = "hunter2-correct-horse";
const PIN = 471_199;
const CARD = "card-4111-2222";
const SESSION = "sess-zz81-opaque";
const SECRETS = [KEY, PASSWORD, String(PIN), CARD, SESSION];

const tools: Tool[] = [
  {
    id: "bank:login",
    description: "Log in to the bank",
    inputSchema: {
      type: "object",
      properties: {
        user: { type: "string" },
        phrase: { type: "string", format: "password" },
        pin: { "x-secret": true },
      },
    },
    outputSchema: { type: "object", properties: { handle: { type: "string", writeOnly: true } } },
    annotations: { idempotentHint: true },
    execute: () => ({ handle: SESSION, hello: "me" }),
  },
  {
    id: "bank:cards",
    description: "List the cards",
    outputSchema: {
      type: "object",
      properties: { cards: { type: "array", items: { properties: { number: { "x-secret": true } } } } },
    },
    annotations: { readOnlyHint: true },
    execute: () => ({ cards: [{ number: CARD, name: "blue" }] }),
  },
  {
    id: "bank:fail",
    description: "Say what is wrong",
    inputSchema: { type: "object", properties: { phrase: { type: "string", format: "password" } } },
    execute: ({ phrase }) => {
      throw new Error(`the phrase ${String(phrase)} is wrong, try ${KEY}`);
    },
  },
  { id: "bank:echo", description: "Say it again", annotations: { readOnlyHint: true }, execute: (args) => args },
  {
    id: "bank:wipe",
    description: "Delete the account",
    inputSchema: { type: "object", properties: { phrase: { format: "password" } } },
    annotations: { destructiveHint: true },
    execute: () => "gone",
  },
];

const CONTEXT = { phrase: PASSWORD, headers: { Authorization: `Bearer ${KEY}` } };

/** Ways for a secret to get somewhere, by code and context. */
const RUNS: { what: string; request: ExecuteRequest }[] = [
  {
    what: "logs, progress and hints",
    request: {
      intent: "log in",
      context: { ...CONTEXT, pin: PIN },
      code: `const session = await mcp.bank.login({ user: "me", phrase: args.phrase, pin: args.pin });
        console.log("got", session.handle, args.phrase); pml.progress({ message: "with " + args.phrase });
        pml.log("session " + session.handle, { session, all: args }); pml.hint({ name: "bank:log_in", description: "uses " + args.phrase, toolsUsed: [] });
        return (await mcp.bank.echo({ text: "as " + session.handle + " " + args.pin })).text;`,
    },
  },
  {
    what: "errors",
    request: { intent: "fail", context: CONTEXT, code: `return mcp.bank.fail({ phrase: args.phrase })` },
  },
  {
    what: "errors of the code",
    request: {
      intent: "fail",
      context: CONTEXT,
      code: `const s = await mcp.bank.login({ phrase: args.phrase }); throw new Error("no " + s.handle + args.phrase);`,
    },
  },
  {
    what: "results that go on, and maps",
    request: {
      intent: "cards",
      code: `const { cards } = await mcp.bank.cards({}); const again = await mcp.bank.echo({ all: cards.map((c) => c.number), key: "x" });
        return new Map([["found", again]]);`,
    },
  },
  {
    what: "literals in code, under a marked field",
    request: { intent: "log in", code: `return mcp.bank.login({ user: "me", phrase: "${PASSWORD}", pin: ${PIN} })` },
  },
  {
    what: "literals in code, by name and by mark",
    request: {
      intent: "echo",
      code: `return mcp.bank.echo({ password: "${PASSWORD}", list: ["${KEY}"] })`,
    },
  },
  {
    what: "intents and descriptions",
    request: {
      intent: `log in with ${PASSWORD} and ${KEY}`,
      context: CONTEXT,
      description: `uses ${PASSWORD}`,
      code: `return (await mcp.bank.login({ phrase: args.phrase })).hello`,
    },
  },
  {
    what: "DAGs and their layers",
    request: {
      intent: "a DAG",
      context: CONTEXT,
      dag: {
        tasks: [
          {
            id: "a",
            tool: "bank:login",
            type: "mcp_tool",
            arguments: { phrase: { $param: "phrase" } },
            dependsOn: [],
            metadata: {},
          },
          {
            id: "b",
            tool: "bank:echo",
            type: "mcp_tool",
            arguments: { text: { $from: "a", path: ["handle"] } },
            dependsOn: ["a"],
            metadata: {},
          },
        ],
        returns: [{ value: { $from: "b" } }],
      } as never,
    },
  },
  {
    what: "code that does not parse",
    request: { intent: "x", code: `return mcp.bank.login({ password: "${PASSWORD}"` },
  },
  { what: "approvals", request: { intent: "wipe", code: `return mcp.bank.wipe({ phrase: "${PASSWORD}" })` } },
  {
    what: "approvals with a context",
    request: { intent: "wipe", context: CONTEXT, code: `return mcp.bank.wipe({ phrase: args.phrase })` },
  },
];

describe("secrets", () => {
  it.each(RUNS)("are in no table, event, log or answer beside the result: $what", async ({ request }) => {
    const said: unknown[] = [];
    const logger = { info: (...all: unknown[]) => said.push(all), warn: (...all: unknown[]) => said.push(all) };
    const pml = await open({ tools, logger });
    pml.events((event: PmlEvent) => said.push(event));
    const answer = await pml.execute({ ...request, onEvent: (event) => said.push(event) } as ExecuteRequest);
    const { result: _, ...beside } = answer as { result?: unknown };
    expect(listFound(JSON.stringify([said, beside]))).toEqual([]);
    expect(listFound(await dump(pml))).toEqual([]);
  });

  it("are not kept with a run that is under way either", async () => {
    const seen: string[] = [];
    const pml: Pml = await open({
      tools: [
        ...tools,
        { id: "bank:look", description: "Look at the database", execute: async () => void seen.push(await dump(pml)) },
      ],
    });
    const code = `const s = await mcp.bank.login({ phrase: args.phrase }); await mcp.bank.echo({ s }); await mcp.bank.look({}); return 1`;
    expect(await pml.execute({ intent: "log in", context: CONTEXT, code })).toMatchObject({ status: "success" });
    expect(listFound(seen.join())).toEqual([]);
  });

  it("reach the tools and the result as they are", async () => {
    const pml = await open({ tools });
    const answer = await pml.execute({
      intent: "echo",
      context: CONTEXT,
      code: `return mcp.bank.echo({ password: args.phrase })`,
    });
    expect(answer).toMatchObject({ status: "success", result: { password: PASSWORD } });
  });

  it("in code keep it from being remembered, and an approval goes on with the code as it was", async () => {
    const pml = await open({ tools });
    const asked = await pml.execute({ intent: "wipe", code: `return mcp.bank.wipe({ phrase: "${PASSWORD}" })` });
    expect(asked.status).toBe("approval_required");
    expect(await pml.approve(asked.workflowId)).toMatchObject({ status: "success", result: "gone" });
    expect(await pml.store.list()).toEqual([]);
  });

  it("are left alone where the host says so", async () => {
    const pml = await open({ tools, redaction: false });
    await pml.execute({ intent: "echo", context: CONTEXT, code: `return mcp.bank.echo({ password: args.phrase })` });
    expect(await dump(pml)).toContain(PASSWORD);
  });
});

/** Each secret that a text holds, with what stands around it. */
function listFound(text: string): string[] {
  return SECRETS.flatMap((secret) => {
    const at = text.indexOf(secret);
    return at === -1 ? [] : [text.slice(Math.max(0, at - 200), at + 60)];
  });
}

/** Every row of every table, as text. */
async function dump(pml: Pml): Promise<string> {
  const { database } = (pml.store as unknown as { context: { database: Database } }).context;
  const tables = await database.query<{ name: string }>(
    "select tablename::text as name from pg_tables where schemaname = 'public'",
  );
  const parts: string[] = [];
  for (const { name } of tables)
    for (const { line } of await database.query<{ line: string }>(`select ${name}::text as line from ${name}`))
      parts.push(`${name}: ${line}`);
  return parts.join("\n");
}
