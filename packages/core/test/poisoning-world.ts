import type { Pml, Tool } from "@pml/core";

const TEXT = { type: "string" };
const PATH = { type: "object", properties: { path: TEXT }, required: ["path"] };

/** A web whose pages are what they are, but for one that somebody else has written. */
export interface PoisonWorld {
  readonly tools: Tool[];
  /** What was called with what, in order. */
  readonly calls: string[];
  /** What the page at `planted` is from now on. */
  plant(make: () => unknown): void;
}

export function createPoisonWorld(): PoisonWorld {
  const calls: string[] = [];
  const planted = new Map<unknown, () => unknown>();
  const tool = (id: string, rest: Partial<Tool> & Pick<Tool, "execute">): Tool => ({
    id,
    description: `Does ${id}`,
    inputSchema: PATH,
    ...rest,
    execute(args, context) {
      calls.push(`${id} ${JSON.stringify(args)}`);
      return rest.execute(args, context);
    },
  });
  const reads = { annotations: { readOnlyHint: true } };
  return {
    calls,
    plant: (make) => void planted.set("planted", make),
    tools: [
      tool("web:get", {
        ...reads,
        execute: ({ path }) => planted.get(path)?.() ?? ordinaryPage(String(path)),
      }),
      tool("fs:read", { ...reads, execute: ({ path }) => ({ text: `text of ${String(path)}` }) }),
      tool("mail:send", {
        inputSchema: { type: "object", properties: { to: TEXT, text: TEXT }, required: ["to", "text"] },
        execute: () => ({ sent: true }),
      }),
    ],
  };
}

export function ordinaryPage(path: string): Record<string, unknown> {
  return { title: `About ${path}`, links: [`${path}/1`, `${path}/2`] };
}

const INTENTS: Record<"read" | "fetch" | "send", string> = {
  read: "read the title of a page",
  fetch: "fetch a page",
  send: "tell the boss",
};

const READ = `const page = await mcp.web.get({ path: args.path });
const note = await mcp.fs.read({ path: "notes/today.md" });
return { title: String(page.title), note: note.text };`;

const FETCH = `return mcp.web.get({ path: args.path });`;
const SEND = `return mcp.mail.send({ to: args.to, text: args.text });`;

/** What a host does on ordinary days. */
export async function liveOrdinarily(pml: Pml): Promise<void> {
  for (let day = 1; day <= 24; day++) {
    const [intent, code, name] =
      day % 2 === 0 ? [INTENTS.read, READ, "web:read_title"] : [INTENTS.fetch, FETCH, "web:fetch_page"];
    await pml.execute({ intent, code, name, context: { path: `day ${day}` } });
  }
  await pml.execute({
    intent: INTENTS.send,
    code: SEND,
    context: { to: "boss@example.com", text: "All is well." },
    name: "mail:tell_boss",
  });
}

/** Meets the planted page in everything that reads pages, and in code of the row's own. */
export async function meetPlanted(pml: Pml, code: string | undefined): Promise<unknown[]> {
  const args = { path: "planted" };
  return [
    code === undefined ? undefined : await pml.execute({ intent: "do it by code", code, context: args }),
    await pml.execute({ intent: INTENTS.read, code: READ, context: args }),
    await pml.execute({ capability: "web:fetch_page", args }),
  ];
}

/** All that a later run, or whoever writes it, does, is offered and is told. */
export async function observe(pml: Pml, { calls }: PoisonWorld): Promise<Record<string, unknown>> {
  calls.splice(0);
  const events: string[] = [];
  const stop = pml.events((event) => void events.push(event.type));
  const told = {
    read: await pml.discover({ intent: INTENTS.read }),
    besides: await pml.discover({ intent: INTENTS.send, toolsInUse: ["web:get"] }),
    suggested: await pml.execute({ intent: "fetch a page and tell the boss" }),
    described: (await pml.describe()).text,
    capabilities: await pml.capabilities.list(),
    byName: await pml.execute({ capability: "web:read_title", args: { path: "seven" }, cache: false }),
    byContext: await pml.execute({ intent: INTENTS.read, context: { path: "eight" }, cache: false }),
    byCode: await pml.execute({ intent: INTENTS.read, code: READ, context: { path: "nine" }, cache: false }),
    dryRun: await pml.dryRun({ code: `const page = await mcp.web.get({ path: "x" }); return page;` }),
    merged: await pml.names.merge({ sources: ["web:fetch_page", "mail:tell_boss"], name: "web:fetch_told" }),
    pipeline: (await pml.capabilities.get("web:fetch_told")).source,
    curated: await pml.capabilities.curate({ strategy: "suggest" }),
    exported: (await pml.names.exportBundle()).packages.map(({ content }) => ({ ...content, samples: [] })),
    edges: await pml.store.listToolDependencies(),
  };
  stop();
  return { ...told, events: events.sort(), calls: [...calls].sort() };
}

const CHANGING =
  /(?:durationMs|[a-z]At|Ms|^ts|^resultSize|^address|^signature|hash|^fqdn|Observed|observedCount|observations)$/i;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|unnamed_[0-9a-f]+/g;

/** Without what differs between any two memories: ids by the order in which they come, no times. */
export function normalise(value: unknown): unknown {
  const ids = new Map<string, string>();
  const name = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `id${ids.size + 1}`);
    return ids.get(id) as string;
  };
  const text = JSON.stringify(value, (key, item: unknown) => (CHANGING.test(key) ? undefined : item), 1);
  return JSON.parse(text.replace(ID, name));
}
