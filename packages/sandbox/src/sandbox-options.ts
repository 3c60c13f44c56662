import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";

import { invalidOptions } from "./error.js";
import { type Limits, resolveLimits } from "./limits.js";
import type { Permissions } from "./permissions.js";
import type { PoolOptions } from "./runner/pool.js";
import type { Runner } from "./runner/runner.js";

export interface SandboxOptions {
  /** A child process for what nobody has read, a worker thread for code you trust more, or a runner of your own. */
  runner?: "process" | "worker" | Runner;
  limits?: Partial<Limits>;
  pool?: Partial<PoolOptions>;
  permissions?: Permissions;
  /** Makes the trace ids of runs. */
  newId?: () => string;
}

export interface ResolvedOptions {
  runner: "process" | "worker" | Runner;
  limits: Limits;
  pool: PoolOptions;
  permissions: Permissions;
  newId: () => string;
}

export const DEFAULT_SANDBOX_OPTIONS: {
  runner: "process";
  permissions: Permissions;
  pool: PoolOptions;
  newId: () => string;
} = {
  runner: "process",
  permissions: "standard",
  pool: { size: Math.min(4, availableParallelism()), warm: 1, maxRuns: 400 },
  newId: randomUUID,
};

export function resolveOptions(given: SandboxOptions): ResolvedOptions {
  const { runner = DEFAULT_SANDBOX_OPTIONS.runner, permissions = DEFAULT_SANDBOX_OPTIONS.permissions } = given;
  if (typeof runner !== "object" && runner !== "process" && runner !== "worker")
    throw invalidOptions('A runner is "process", "worker" or an object with run() and close().');
  const { newId = DEFAULT_SANDBOX_OPTIONS.newId } = given;
  return { runner, permissions, newId, limits: resolveLimits(given.limits), pool: resolvePool(given.pool) };
}

function resolvePool(given: Partial<PoolOptions> = {}): PoolOptions {
  const pool = { ...DEFAULT_SANDBOX_OPTIONS.pool, ...given };
  const lowest = { size: 1, warm: 0, maxRuns: 1 };
  for (const [name, least] of Object.entries(lowest) as [keyof PoolOptions, number][])
    if (!Number.isSafeInteger(pool[name]) || pool[name] < least)
      throw invalidOptions(`pool.${name} has to be a whole number, ${least} or more.`, { option: name });
  return pool;
}
