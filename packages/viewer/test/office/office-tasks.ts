/** Something that is done in the office again and again, with other values. */
export interface OfficeTask {
  name?: string;
  code: string;
  asked: readonly (readonly [intent: string, context: Record<string, unknown>])[];
}

const REMIND = `// Who is late hears of it; whose mail comes back is written down.
const [orders, template] = await Promise.all([
  mcp.db.query({ sql: "select * from orders where open" }),
  mcp.fs.read({ path: "mail/reminder.txt" }),
]);
const late = orders.rows.filter((order) => order.total > limit);
if (late.length === 0) {
  return { sent: 0 };
}
let sent = 0;
for (const order of late) {
  try {
    await mcp.mail.send({ to: order.email, text: template.content });
    sent += 1;
  } catch (error) {
    await mcp.fs.write({ path: "mail/bounced.txt", content: order.email });
  }
}
await mcp.chat.post({ channel: "sales", text: "Reminded " + sent });
return { sent };`;

export const OFFICE_TASKS: readonly OfficeTask[] = [
  {
    name: "mail:remind_customers",
    code: REMIND,
    asked: [
      ["remind customers whose open orders are above 100", { limit: 100 }],
      ["write to everybody with an open order over 30", { limit: 30 }],
      ["send reminders for open orders above 200", { limit: 200 }],
      ["remind customers with open orders beyond 1000", { limit: 1000 }],
      ["remind customers whose open orders are above 50", { limit: 50 }],
      ["remind those who owe more than 150", { limit: 150 }],
    ],
  },
  {
    name: "tickets:triage_open",
    code: `const { tickets } = await mcp.tickets.list({ project });
for (const ticket of tickets) {
  switch (ticket.severity) {
    case "high":
      await mcp.chat.post({ channel: "alarm", text: ticket.title });
      break;
    case "low":
      if (ticket.age > 30) await mcp.tickets.close({ id: ticket.id });
      break;
    default:
      await mcp.tickets.comment({ id: ticket.id, text: "We will look at this." });
  }
}
return tickets.length;`,
    asked: [
      ["go through the open tickets of the web shop", { project: "web" }],
      ["triage open tickets of the app", { project: "app" }],
      ["sort out what tickets are open in the api project", { project: "api" }],
    ],
  },
  {
    name: "sheet:sum_column",
    code: `const { content } = await mcp.fs.read({ path });
const [head, ...rows] = content.split("\\n").map((line) => line.split(","));
const at = head.indexOf(column);
return rows.reduce((sum, row) => sum + Number(row[at]), 0);`,
    asked: [
      ["add up the amounts in may.csv", { path: "may.csv", column: "amount" }],
      ["sum of the amount column of june.csv", { path: "june.csv", column: "amount" }],
      ["what do the amounts of july.csv come to", { path: "july.csv", column: "amount" }],
      ["total the amounts in august.csv", { path: "august.csv", column: "amount" }],
    ],
  },
  {
    name: "report:send_sales",
    code: `const [orders, stock, total] = await Promise.all([
  mcp.db.query({ sql: "select * from orders" }),
  mcp.db.query({ sql: "select * from stock where left < 5" }),
  capabilities.sheet.sum_column({ path: "sales.csv", column: "amount" }),
]);
const text = orders.rows.length + " orders, " + total + " in all, low: " + stock.rows.map((row) => row.product).join(", ");
const { path } = await mcp.pdf.render({ text });
await mcp.mail.send({ to, text: "The report is at " + path });
return path;`,
    asked: [
      ["send the weekly sales report to grace", { to: "grace@example.org" }],
      ["mail ada how sales went this week", { to: "ada@example.org" }],
      ["sales report for linus please", { to: "linus@example.org" }],
    ],
  },
  {
    name: "git:draft_notes",
    code: `const [{ commits }, { tickets }] = await Promise.all([mcp.git.log({ since }), mcp.tickets.list({ project: "web" })]);
const closed = tickets.filter((ticket) => ticket.age < 14);
const text = [...commits, ...closed.map((ticket) => ticket.title)].join("\\n");
await mcp.fs.write({ path: "notes/" + since + ".md", content: text });
return text;`,
    asked: [
      ["draft the release notes since v1.4", { since: "v1.4" }],
      ["write down what changed since v1.5", { since: "v1.5" }],
    ],
  },
  {
    name: "ci:rerun_failed",
    code: `const { state, job } = await mcp.ci.status({ branch });
if (state === "passed") return "nothing to do";
await mcp.ci.run({ job });
await mcp.chat.post({ channel: "builds", text: branch + ": " + job + " runs again" });
return job;`,
    asked: [
      ["run the failed build of branch search again", { branch: "search" }],
      ["is main green? if not, run it again", { branch: "main" }],
      ["rerun what failed on login", { branch: "login" }],
      ["rerun what failed on cart", { branch: "cart" }],
    ],
  },
  {
    name: "calendar:plan_visit",
    code: `const [{ rain }, { hours }] = await Promise.all([mcp.weather.forecast({ city, day }), mcp.calendar.free({ day })]);
if (rain || hours.length === 0) return "another day";
await mcp.calendar.book({ day, hour: hours[0], title: "Visit " + city });
return hours[0];`,
    asked: [
      ["plan a visit to Lyon on monday if the weather is fine", { city: "Lyon", day: "monday" }],
      ["book a trip to Oslo on friday unless it rains", { city: "Oslo", day: "friday" }],
      ["visit Porto on tuesday, if it stays dry", { city: "Porto", day: "tuesday" }],
    ],
  },
  {
    name: "pay:refund_order",
    code: `const { payment, amount } = await mcp.pay.lookup({ order });
await mcp.pay.refund({ payment, amount });
await mcp.mail.send({ to, text: "We have paid back " + amount });
return amount;`,
    asked: [
      ["refund order 2 and tell grace", { order: 2, to: "grace@example.org" }],
      ["pay order 1 back, mail ada", { order: 1, to: "ada@example.org" }],
      ["refund order 3 and write to the customer", { order: 3, to: "bounce@example.org" }],
    ],
  },
  {
    name: "mail:list_invoices",
    code: `const { mails } = await mcp.mail.search({ words: "invoice" });
return mails.map((mail) => mail.subject);`,
    asked: [["which invoices came by mail", {}]],
  },
  {
    name: "chat:sum_thread",
    code: `const { messages } = await mcp.chat.thread({ thread });
return messages.map((message) => message.by + ": " + message.text).join("\\n");`,
    asked: [
      ["what was said in the thread about the launch", { thread: "launch" }],
      ["sum up the thread on prices", { thread: "prices" }],
    ],
  },
  {
    name: "stock:warn_low",
    code: `const { rows } = await mcp.db.query({ sql: "select * from stock where left < 5" });
await Promise.all(rows.map((row) => mcp.chat.post({ channel: "stock", text: row.product + " runs out" })));
return rows.length;`,
    asked: [
      ["warn the team about products that run out", {}],
      ["post to the chat which products run out", {}],
    ],
  },
  {
    name: "git:release_version",
    code: `const notes = await capabilities.git.draft_notes({ since });
const { state } = await mcp.ci.status({ branch: "main" });
if (state !== "passed") throw new Error("main is not green");
await mcp.git.tag({ name });
await mcp.chat.post({ channel: "releases", text: notes });
return name;`,
    asked: [["release v1.6: notes since v1.5, tag, tell the team", { since: "v1.5", name: "v1.6" }]],
  },
  {
    code: `const { names } = await mcp.fs.list({ path: "sheets" });
return names.filter((name) => name.endsWith(".csv"));`,
    asked: [["which sheets are there", {}]],
  },
  {
    code: `await mcp.db.update({ sql: "update orders set open = false where id = " + Number(order) });
return "closed";`,
    asked: [
      ["close order 2", { order: 2 }],
      ["mark order 3 as done", { order: 3 }],
    ],
  },
];

/** What becomes of the first task, later. */
export const BETTER_REMINDER: string = REMIND.replace(
  'await mcp.chat.post({ channel: "sales", text: "Reminded " + sent });',
  'if (sent > 0) await mcp.chat.post({ channel: "sales", text: "Reminded " + sent + " of " + late.length });',
);
