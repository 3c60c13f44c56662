import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { type Database, openPglite, type Tool } from "@pml/core";

import type { World } from "./world.js";

const TEXT = { type: "string" } as const;
const READS = { readOnlyHint: true };

/** Real tools over the world: a folder of files, a database, a web service on this machine. */
export async function createTools(world: World): Promise<{ tools: Tool[]; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "pml-learn-"));
  for (const [path, content] of Object.entries(world.files)) await put(join(folder, path), content);
  const database = await openShop(world);
  const server = await serve(world);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    tools: [...createFileTools(folder), createQueryTool(database), ...createWebTools(address)],
    async close() {
      await database.close();
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createFileTools(folder: string): Tool[] {
  const path = { type: "object", properties: { path: TEXT }, required: ["path"] };
  return [
    {
      id: "fs:read",
      description: "Contents of a text file",
      inputSchema: path,
      annotations: READS,
      execute: async ({ path: at }) => ({ content: await readFile(join(folder, String(at)), "utf8") }),
    },
    {
      id: "fs:list",
      description: "Names of the entries of a directory",
      inputSchema: path,
      annotations: READS,
      execute: async ({ path: at }) => ({ names: (await readdir(join(folder, String(at)))).sort() }),
    },
    {
      id: "fs:write",
      description: "Put text into a file, in place of what it held",
      inputSchema: { ...path, properties: { path: TEXT, content: TEXT }, required: ["path", "content"] },
      annotations: { idempotentHint: true },
      execute: async ({ path: at, content }) => {
        await put(join(folder, String(at)), String(content));
        return { bytes: String(content).length };
      },
    },
  ];
}

function createQueryTool(database: Database): Tool {
  return {
    id: "db:query",
    description: "Rows for a SQL select over customers, orders and products",
    inputSchema: {
      type: "object",
      properties: { sql: TEXT, values: { type: "array" } },
      required: ["sql"],
    },
    annotations: READS,
    execute: async ({ sql, values }) => ({ rows: await database.query(String(sql), (values ?? []) as unknown[]) }),
  };
}

function createWebTools(address: string): Tool[] {
  return [
    {
      id: "http:get",
      description: "GET a path of the office's web service, as JSON",
      inputSchema: { type: "object", properties: { path: TEXT }, required: ["path"] },
      annotations: READS,
      execute: async ({ path }, { signal }) => (await fetch(address + String(path), { signal })).json(),
    },
    {
      id: "http:post",
      description: "POST JSON to a path of the office's web service",
      inputSchema: { type: "object", properties: { path: TEXT, body: { type: "object" } }, required: ["path", "body"] },
      execute: async ({ path, body }, { signal }) =>
        (await fetch(address + String(path), { method: "POST", body: JSON.stringify(body), signal })).json(),
    },
  ];
}

async function openShop({ customers, orders, products }: World): Promise<Database> {
  const database = await openPglite({ dataDir: ":memory:" });
  await database.exec(`create table customers (email text, country text, since text);
    create table orders (id int, email text, product text, quantity int, day text);
    create table products (name text, price int, stock int);`);
  for (const [table, rows] of Object.entries({ customers, orders, products }))
    await database.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      JSON.stringify(rows),
    ]);
  return database;
}

function serve(world: World): Promise<Server> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const [, kind = "", name = ""] = decodeURIComponent(request.url ?? "").split("/");
      const found = request.method === "POST" ? open(world, JSON.parse(body) as Ticket) : look(world, kind, name);
      response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(found ?? { error: `nothing at ${request.url}` }));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

type Ticket = World["tickets"][string];

function look(world: World, kind: string, name: string): unknown {
  if (kind === "weather") return world.weather[name];
  if (kind === "rates") return world.rates[name] === undefined ? undefined : { rate: world.rates[name] };
  return kind === "tickets" ? world.tickets[name] : undefined;
}

/** A ticket's number says nothing of it, so that the right answer can be known beforehand. */
function open(world: World, ticket: Ticket): unknown {
  const number = `T-${100 + Object.keys(world.tickets).length}`;
  world.tickets[number] = { ...ticket, state: "open" };
  return { created: true, title: ticket.title, priority: ticket.priority };
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
