import { PmlError } from "../model/error.js";
import { checkId } from "../model/text.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";

/**
 * A run that has begun and not ended. `running` ones that no process holds were cut off; `waiting` ones wait for an
 * answer. One that ended leaves a trace, and no workflow.
 */
export interface Workflow {
  id: string;
  status: "running" | "waiting";
  /** Some process is at it, or was until less than a minute ago. */
  held: boolean;
  /** What was asked for, so that it can be taken up again. */
  request: unknown;
  createdAt: Date;
}

/** A step of a run that may be cut off: begun, or ended with what it gave. */
export interface WorkflowStep {
  key: string;
  state: unknown;
}

export interface StoredApproval {
  id: string;
  workflowId: string;
  request: unknown;
  expiresAt: Date | undefined;
}

/** How long a run counts as held after its process last said so: by the database's clock, which all processes share. */
const A_WHILE = "now() + interval '1 minute'";

interface WorkflowRow extends Row {
  workflow_id: string;
  status: Workflow["status"];
  held: boolean;
  request: unknown;
  created_at: Date;
}

interface ApprovalRow extends Row {
  approval_id: string;
  workflow_id: string;
  request: unknown;
  expires_at: Date | null;
}

export async function putWorkflow(
  context: StoreContext,
  workflow: Pick<Workflow, "id" | "status" | "request">,
): Promise<void> {
  const { org, project, actor } = context.scope;
  await context.database.query(
    `insert into workflow (workflow_id, org, project, actor, status, request, created_at, updated_at, holder, held_until)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, case when $5 = 'running' then ${A_WHILE} end)
     on conflict (workflow_id) do update set status = excluded.status, request = excluded.request,
       updated_at = excluded.updated_at, holder = excluded.holder, held_until = excluded.held_until`,
    [
      workflow.id,
      org,
      project,
      actor,
      workflow.status,
      JSON.stringify(workflow.request),
      context.now(),
      context.origin,
    ],
  );
}

/** Takes a run for this process; false where another is at it. */
export async function holdWorkflow({ database, origin }: StoreContext, id: string): Promise<boolean> {
  const rows = await database.query(
    `update workflow set holder = $2, held_until = ${A_WHILE}
     where workflow_id = $1 and (holder = $2 or held_until is null or held_until < now()) returning 1 as found`,
    [id, origin],
  );
  return rows.length > 0;
}

/** Says again that this process is at these runs. */
export async function renewHolds({ database, origin }: StoreContext, ids: readonly string[]): Promise<void> {
  await database.query(
    `update workflow set held_until = ${A_WHILE} where holder = $1 and workflow_id = any($2::uuid[])`,
    [origin, ids],
  );
}

/** This process is at none of its runs any more. */
export async function releaseHolds({ database, origin }: Pick<StoreContext, "database" | "origin">): Promise<void> {
  await database.query("update workflow set held_until = null where holder = $1 and held_until is not null", [origin]);
}

export async function findWorkflow(context: StoreContext, id: string): Promise<Workflow | undefined> {
  const [row] = await listRows(context, "workflow_id = $4", [checkId("The workflow's id", id)]);
  return row && readWorkflow(row);
}

/** Oldest first. */
export async function listWorkflows(context: StoreContext): Promise<Workflow[]> {
  return (await listRows(context, "true", [])).map(readWorkflow);
}

/** Only its actor sees a workflow: it holds that actor's inputs. */
function listRows({ database, scope }: StoreContext, condition: string, values: unknown[]): Promise<WorkflowRow[]> {
  return database.query<WorkflowRow>(
    `select *, held_until is not null and held_until > now() as held from workflow where org = $1 and project = $2 and actor = $3 and ${condition} order by created_at, workflow_id`,
    [scope.org, scope.project, scope.actor, ...values],
  );
}

export async function removeWorkflow(
  { database, scope }: Pick<StoreContext, "scope"> & { database: Queryable },
  id: string,
): Promise<void> {
  await database.query("delete from workflow where workflow_id = $1 and org = $2 and project = $3", [
    id,
    scope.org,
    scope.project,
  ]);
}

export async function putSteps(
  context: StoreContext,
  workflowId: string,
  steps: readonly WorkflowStep[],
): Promise<void> {
  await context.database.query(
    `insert into workflow_checkpoint (workflow_id, step_key, state, created_at)
     select $1::uuid, key, state::json, $4::timestamptz from unnest($2::text[], $3::text[]) as step (key, state)
     on conflict (workflow_id, step_key) do update set state = excluded.state`,
    [workflowId, steps.map(({ key }) => key), steps.map(({ state }) => JSON.stringify(state)), context.now()],
  );
}

export async function listSteps({ database }: StoreContext, workflowId: string): Promise<WorkflowStep[]> {
  const rows = await database.query<{ step_key: string; state: unknown }>(
    "select step_key, state from workflow_checkpoint where workflow_id = $1 order by created_at, step_key",
    [workflowId],
  );
  return rows.map(({ step_key, state }) => ({ key: step_key, state }));
}

export async function putApproval(context: StoreContext, approval: StoredApproval): Promise<void> {
  await context.database.query(
    `insert into approval (approval_id, workflow_id, request, expires_at, created_at) values ($1, $2, $3, $4, $5)`,
    [approval.id, approval.workflowId, JSON.stringify(approval.request), approval.expiresAt ?? null, context.now()],
  );
}

/** By its own id, or that of its workflow: the newest that nobody has answered. */
export async function findApproval(context: StoreContext, id: string): Promise<StoredApproval | undefined> {
  const [row] = await context.database.query<ApprovalRow>(
    `select a.* from approval a join workflow using (workflow_id)
     where org = $1 and project = $2 and (approval_id = $3 or workflow_id = $3) and answer is null
     order by a.created_at desc limit 1`,
    [context.scope.org, context.scope.project, checkId("The id", id)],
  );
  return row && readApproval(row);
}

/** Answered once: a second answer, be it of another process, is refused. */
export async function answerApproval(context: StoreContext, id: string, answer: unknown): Promise<void> {
  const rows = await context.database.query(
    "update approval set answer = $2 where approval_id = $1 and answer is null returning 1 as found",
    [id, JSON.stringify(answer)],
  );
  if (rows.length === 0)
    throw new PmlError("PML_CONFLICT", `The approval ${id} has been answered already.`, { details: { id } });
}

function readWorkflow(row: WorkflowRow): Workflow {
  return { id: row.workflow_id, status: row.status, held: row.held, request: row.request, createdAt: row.created_at };
}

function readApproval(row: ApprovalRow): StoredApproval {
  return {
    id: row.approval_id,
    workflowId: row.workflow_id,
    request: row.request,
    expiresAt: row.expires_at ?? undefined,
  };
}
