import { createPml, type Pml, type PmlOptions, type Tool } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";

const TEXT = { type: "string" } as const;

function createTools(): Tool[] {
  return [
    {
      id: "db:query",
      description: "Rows for a question in SQL",
      inputSchema: { type: "object", properties: { sql: TEXT }, required: ["sql"] },
      outputSchema: { type: "object", properties: { rows: { type: "array" } } },
      annotations: { readOnlyHint: true },
      execute: () => ({ rows: [{ email: "customer-7" }, { email: "customer-8" }] }),
    },
    {
      id: "mail:send",
      description: "Send a mail",
      inputSchema: { type: "object", properties: { to: TEXT, text: TEXT }, required: ["to"] },
      execute: () => ({ sent: true }),
    },
    { id: "chat:post", description: "Post to the chat", annotations: { destructiveHint: true }, execute: () => ({}) },
  ];
}

/** A memory for a test: words are compared by their letters, and nothing is answered from a cache. */
export function openMemory(options: PmlOptions = {}): Promise<Pml> {
  return createPml({ tools: createTools(), embedder: createHashEmbedder(), cache: { enabled: false }, ...options });
}

const CODE = `const { rows } = await mcp.db.query({ sql: "select * from orders" });
for (const row of rows) {
  if (row.email !== skip) await mcp.mail.send({ to: row.email, text: "Please pay" });
}
`;

/** Something learned, run, changed and renamed. */
export async function runSome(pml: Pml): Promise<void> {
  const [intent, name] = ["remind all customers to pay", "mail:remind_people"];
  await pml.execute({ intent, code: CODE, context: { skip: "nobody" }, name });
  await pml.names.update(name, {
    code: `${CODE}return "done";`,
    changeSummary: "It says when it is done",
    acceptDifferences: true,
  });
  await pml.names.rename(name, "mail:remind_customers");
  for (const skip of ["nobody", "customer-7", "customer-8"])
    await pml.execute({ capability: "mail:remind_customers", args: { skip } });
}
