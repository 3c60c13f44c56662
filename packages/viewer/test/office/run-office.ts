import { createPml, type Pml, type PmlOptions } from "@pml/core";

import { BETTER_REMINDER, OFFICE_TASKS } from "./office-tasks.js";
import { createOfficeTools } from "./office-tools.js";

/** A memory that has seen some days of work in an office. */
export async function runOffice(options: PmlOptions = {}): Promise<Pml> {
  const pml = await createPml({
    tools: createOfficeTools(),
    permissions: "privileged",
    approval: { onApproval: () => ({ approved: true }) },
    cache: { enabled: false },
    ...options,
  });
  for (const { code, name, asked } of OFFICE_TASKS)
    for (const [intent, context] of asked)
      await pml.execute({ intent, code, context, ...(name !== undefined && { name }) });
  await improve(pml);
  return pml;
}

/** Names change, code gets better, people say what they think of it. */
async function improve(pml: Pml): Promise<void> {
  await pml.names.update("mail:remind_customers", {
    code: BETTER_REMINDER,
    versionTag: "v1.1.0",
    changeSummary: "Says nothing when there is nothing to say",
    acceptDifferences: true,
  });
  for (const limit of [60, 90, 100, 250, 5000])
    await pml.execute({ capability: "mail:remind_customers", args: { limit } });
  await pml.names.rename("stock:warn_low", "stock:announce_low");
  await pml.names.tag("mail:remind_customers", { add: ["customers", "money"] });
  const [latest] = await pml.store.listTraces({ limit: 1 });
  if (latest !== undefined) await pml.feedback({ traceId: latest.id, ok: true });
}
