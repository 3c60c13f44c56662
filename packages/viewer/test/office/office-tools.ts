import { setTimeout as wait } from "node:timers/promises";

import type { Tool } from "@pml/core";

const TEXT = { type: "string" } as const;

interface Given {
  takes: Record<string, object>;
  gives: Record<string, object>;
  /** How long it takes. */
  ms: number;
  answer: (args: Record<string, unknown>) => unknown;
  annotations?: Tool["annotations"];
}

const READS = { readOnlyHint: true } as const;

const ORDERS = [
  { id: 1, email: "ada@example.org", total: 40, city: "Lyon", open: true },
  { id: 2, email: "grace@example.org", total: 120, city: "Oslo", open: true },
  { id: 3, email: "bounce@example.org", total: 310, city: "Porto", open: true },
];
const TICKETS = [
  { id: 71, title: "Login page is blank", severity: "high", age: 2 },
  { id: 72, title: "Typo in the footer", severity: "low", age: 40 },
  { id: 73, title: "Slow search", severity: "medium", age: 12 },
];

/** An office: orders, tickets, builds, mail. Nothing in it is real, but everything answers. */
export function createOfficeTools(): Tool[] {
  return [
    ...data(),
    ...money(),
    ...words(),
    ...work(),
    make("weather:forecast", "The weather of a day in a place", {
      takes: { city: TEXT, day: TEXT },
      gives: { rain: { type: "boolean" }, high: { type: "number" } },
      ms: 28,
      answer: ({ city }) => ({ rain: city === "Oslo", high: 17 }),
      annotations: READS,
    }),
    make("calendar:free", "Free hours of a day", {
      takes: { day: TEXT },
      gives: { hours: { type: "array", items: { type: "number" } } },
      ms: 14,
      answer: () => ({ hours: [10, 15] }),
      annotations: READS,
    }),
    make("calendar:book", "Book an hour of a day", {
      takes: { day: TEXT, hour: { type: "number" }, title: TEXT },
      gives: { booked: { type: "boolean" } },
      ms: 17,
      answer: () => ({ booked: true }),
    }),
  ];
}

function data(): Tool[] {
  return [
    make("db:query", "Rows of the shop's database for a question in SQL", {
      takes: { sql: { ...TEXT, description: "One select statement" } },
      gives: { rows: { type: "array", items: { type: "object" } } },
      ms: 34,
      answer: ({ sql }) => ({ rows: String(sql).includes("stock") ? [{ product: "lamp", left: 2 }] : ORDERS }),
      annotations: READS,
    }),
    make("db:update", "Change rows of the shop's database", {
      takes: { sql: TEXT },
      gives: { changed: { type: "number" } },
      ms: 22,
      answer: () => ({ changed: 1 }),
    }),
    make("fs:read", "Read a file as text", {
      takes: { path: { ...TEXT, description: "From the office's folder" } },
      gives: { content: TEXT },
      ms: 9,
      answer: ({ path }) => ({ content: String(path).endsWith(".csv") ? "name,amount\na,3\nb,4" : "Dear customer" }),
      annotations: READS,
    }),
    make("fs:write", "Write text to a file", {
      takes: { path: TEXT, content: TEXT },
      gives: { written: { type: "boolean" } },
      ms: 12,
      answer: () => ({ written: true }),
    }),
    make("fs:list", "Names of the files in a folder", {
      takes: { path: TEXT },
      gives: { names: { type: "array", items: TEXT } },
      ms: 8,
      answer: () => ({ names: ["may.csv", "june.csv", "notes.txt"] }),
      annotations: READS,
    }),
    make("pdf:render", "Make a PDF of a text", {
      takes: { text: TEXT },
      gives: { path: TEXT },
      ms: 45,
      answer: () => ({ path: "out/report.pdf" }),
      annotations: READS,
    }),
  ];
}

function money(): Tool[] {
  return [
    make("pay:lookup", "A payment by its order", {
      takes: { order: { type: "number" } },
      gives: { payment: TEXT, amount: { type: "number" } },
      ms: 26,
      answer: ({ order }) => ({ payment: `p-${String(order)}`, amount: 120 }),
      annotations: READS,
    }),
    make("pay:refund", "Pay an amount back", {
      takes: { payment: TEXT, amount: { type: "number" } },
      gives: { refunded: { type: "boolean" } },
      ms: 38,
      answer: () => ({ refunded: true }),
      annotations: { destructiveHint: true },
    }),
  ];
}

function words(): Tool[] {
  return [
    make("mail:send", "Send a mail", {
      takes: { to: TEXT, text: TEXT },
      gives: { sent: { type: "boolean" } },
      ms: 24,
      answer({ to }) {
        if (String(to).startsWith("bounce")) throw new Error("there is nobody at this address");
        return { sent: true };
      },
    }),
    make("mail:search", "Mails that have some words in them", {
      takes: { words: TEXT },
      gives: { mails: { type: "array", items: { type: "object", properties: { from: TEXT, subject: TEXT } } } },
      ms: 31,
      answer: () => ({ mails: [{ from: "ada@example.org", subject: "Invoice 7" }] }),
      annotations: READS,
    }),
    make("chat:post", "Post to a channel of the chat", {
      takes: { channel: TEXT, text: TEXT },
      gives: { posted: { type: "boolean" } },
      ms: 15,
      answer: () => ({ posted: true }),
    }),
    make("chat:thread", "What was said in a thread", {
      takes: { thread: TEXT },
      gives: { messages: { type: "array", items: { type: "object", properties: { by: TEXT, text: TEXT } } } },
      ms: 18,
      answer: () => ({
        messages: [
          { by: "ada", text: "ship it" },
          { by: "grace", text: "after lunch" },
        ],
      }),
      annotations: READS,
    }),
  ];
}

function work(): Tool[] {
  return [
    make("tickets:list", "Tickets that are open", {
      takes: { project: TEXT },
      gives: { tickets: { type: "array", items: { type: "object" } } },
      ms: 27,
      answer: () => ({ tickets: TICKETS }),
      annotations: READS,
    }),
    make("tickets:comment", "Comment on a ticket", {
      takes: { id: { type: "number" }, text: TEXT },
      gives: { ok: { type: "boolean" } },
      ms: 16,
      answer: () => ({ ok: true }),
    }),
    make("tickets:close", "Close a ticket", {
      takes: { id: { type: "number" } },
      gives: { ok: { type: "boolean" } },
      ms: 14,
      answer: () => ({ ok: true }),
      annotations: { idempotentHint: true },
    }),
    make("git:log", "Commits since a tag", {
      takes: { since: TEXT },
      gives: { commits: { type: "array", items: TEXT } },
      ms: 21,
      answer: () => ({ commits: ["Faster search", "Fix the login page"] }),
      annotations: READS,
    }),
    make("git:tag", "Tag the latest commit", {
      takes: { name: TEXT },
      gives: { tagged: { type: "boolean" } },
      ms: 13,
      answer: () => ({ tagged: true }),
    }),
    make("ci:status", "How the latest build went", {
      takes: { branch: TEXT },
      gives: { state: TEXT, job: TEXT },
      ms: 19,
      answer: ({ branch }) => ({ state: branch === "main" ? "passed" : "failed", job: "unit" }),
      annotations: READS,
    }),
    make("ci:run", "Run a job again", {
      takes: { job: TEXT },
      gives: { started: { type: "boolean" } },
      ms: 41,
      answer: () => ({ started: true }),
    }),
  ];
}

function make(id: string, description: string, { takes, gives, ms, answer, annotations = {} }: Given): Tool {
  return {
    id,
    description,
    inputSchema: { type: "object", properties: takes, required: Object.keys(takes) },
    outputSchema: { type: "object", properties: gives },
    annotations,
    async execute(args) {
      await wait(ms);
      return answer(args);
    },
  };
}
