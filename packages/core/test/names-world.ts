import { StaticStructureBuilder } from "@pml/analyzer";
import {
  CapabilityStore,
  createNames,
  type Database,
  type Names,
  type NamesOptions,
  type NewCapability,
  openPglite,
  type StoreOptions,
} from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { createSandbox, type Sandbox } from "@pml/sandbox";

import { createPowers } from "./names-powers.js";

const builder = new StaticStructureBuilder();
/** Opening one takes longer than most tests; worlds that name no scope share it, each in an org of its own. */
const shared = openPglite({ dataDir: ":memory:" });
let worlds = 0;

/** A store with names, real analysis and a real sandbox. */
export interface World extends AsyncDisposable {
  store: CapabilityStore;
  names: Names;
  sandbox: Sandbox;
  warnings: string[];
  /** Now, for everything in it. */
  clock: { now: Date };
  /** Stores code that has worked, and gives its id. */
  learn(
    code: string,
    given?: Partial<NewCapability> & { runs?: number; result?: unknown; tasks?: never[] },
  ): Promise<string>;
  close(): Promise<void>;
}

export async function createWorld(
  options: Partial<NamesOptions> & { database?: Database; scope?: StoreOptions["scope"] } = {},
): Promise<World> {
  const warnings: string[] = [];
  const clock = { now: new Date("2025-12-20T12:00:00Z") };
  const { database, scope, ...rest } = options;
  const isShared = database === undefined && scope === undefined;
  const store = await CapabilityStore.open({
    embedder: createHashEmbedder(),
    warn: (message) => warnings.push(message),
    now: () => clock.now,
    ...(isShared ? { database: await borrow() } : database !== undefined && { database }),
    scope: scope ?? { org: `org${++worlds}` },
  });
  const sandbox = createSandbox({ pool: { warm: 0 } });
  const names = createNames({ store, ...createPowers(sandbox), ...rest });
  const close = async (): Promise<void> => {
    await sandbox.close();
    await store.close();
  };
  return {
    store,
    names,
    sandbox,
    warnings,
    clock,
    learn: (code, given) => learn(store, code, given),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function borrow(): Promise<Database> {
  const database = await shared;
  return { ...bind(database), close: async () => {} };
}

function bind(database: Database): Omit<Database, "close"> {
  return {
    query: (sql, parameters) => database.query(sql, parameters),
    exec: (sql) => database.exec(sql),
    transaction: (work) => database.transaction(work),
    listen: (channel, listener) => database.listen(channel, listener),
  };
}

export async function learn(
  store: CapabilityStore,
  code: string,
  {
    runs = 1,
    result = null,
    tasks = [],
    ...given
  }: Partial<NewCapability> & { runs?: number; result?: unknown; tasks?: never[] } = {},
): Promise<string> {
  const { capability } = await store.put({ ...describe(code), intent: "do it", ...given });
  for (let run = 0; run < runs; run++)
    await store.recordRun({
      trace: {
        capabilityId: capability.id,
        success: true,
        startedAt: new Date(),
        durationMs: 10,
        args: {},
        result,
        tasks,
      },
    });
  return capability.id;
}

/** Without its shape, by which code for the same request would join what is there already. */
export function describe(code: string): Omit<NewCapability, "intent"> {
  const { structure, parameters, permissions, parameterised, hash } = builder.build(code);
  return {
    source: { type: "code", code },
    hash,
    structure,
    parameters,
    permissions,
    parameterisedCode: parameterised.code,
    toolsUsed: permissions.tools,
  };
}
