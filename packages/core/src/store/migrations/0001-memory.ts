import { NAMES, SCOPED } from "./0001-names.js";

const EDGE = `edge_type text not null check (edge_type in ('dependency', 'contains', 'provides', 'alternative', 'sequence')),
  edge_source text not null check (edge_source in ('template', 'inferred', 'observed', 'manual')),
  observed_count int not null default 1,
  confidence_score double precision not null check (confidence_score >= 0 and confidence_score <= 1),
  created_at timestamptz not null default now(),
  last_observed timestamptz not null default now()`;

/** `json` rather than `jsonb` where values are kept as they came: it stores any string, escaped NUL included. */
export const MEMORY: string = `
create extension if not exists vector;

create table workflow_pattern (
  pattern_id uuid primary key,
  ${SCOPED},
  owner text not null default '',
  visibility text not null default 'project' check (visibility in ('private', 'project', 'org', 'public')),
  code_hash text not null,
  shape text,
  name text,
  intent text not null,
  description text,
  source json not null,
  parameterised_code text,
  structure json,
  parameters json,
  permissions json,
  cache_config json,
  signature text,
  verified_at timestamptz,
  superseded boolean not null default false,
  tools_used text[] not null default '{}',
  status text not null default 'draft' check (status in ('draft', 'active', 'degraded')),
  usage_count int not null default 0,
  success_count int not null default 0,
  failure_count int not null default 0,
  consecutive_failures int not null default 0,
  total_duration_ms double precision not null default 0,
  last_used_at timestamptz,
  learning json,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (code_hash, org, project, owner)
);
-- What tells rows apart stands first: a database that never counted its rows could otherwise take an index that leads to all
-- of a project's.
create unique index workflow_pattern_name on workflow_pattern (name, org, project, owner) where name is not null;
create index workflow_pattern_shape on workflow_pattern (shape, org, project);
create index workflow_pattern_tools on workflow_pattern using gin (tools_used);

create table capability_dependency (
  from_capability_id uuid not null references workflow_pattern on delete cascade,
  to_capability_id uuid not null references workflow_pattern on delete cascade,
  ${EDGE},
  primary key (from_capability_id, to_capability_id, edge_type),
  check (from_capability_id <> to_capability_id)
);
create index capability_dependency_to on capability_dependency (to_capability_id);
create index capability_dependency_type on capability_dependency (edge_type, edge_source);

create table capability_example (
  capability_id uuid not null references workflow_pattern on delete cascade,
  ${SCOPED},
  owner text not null,
  code_hash text not null,
  intent text not null,
  literals json not null,
  created_at timestamptz not null default now(),
  primary key (org, project, owner, code_hash)
);
create index capability_example_capability on capability_example (capability_id, created_at desc);

create table tool_schema (
  tool_id text not null,
  ${SCOPED},
  description text not null,
  input_schema json,
  output_schema json,
  annotations json not null,
  examples json,
  approval text check (approval in ('auto', 'required')),
  version int not null default 1,
  schema_hash text not null,
  available boolean not null default true,
  updated_at timestamptz not null default now(),
  primary key (org, project, tool_id)
);

create table tool_dependency (
  ${SCOPED},
  from_tool_id text not null,
  to_tool_id text not null,
  ${EDGE},
  primary key (org, project, from_tool_id, to_tool_id, edge_type)
);

create table workflow (
  workflow_id uuid primary key,
  ${SCOPED},
  actor text not null,
  status text not null check (status in ('running', 'waiting', 'done', 'failed', 'rejected')),
  request json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table workflow_checkpoint (
  workflow_id uuid not null references workflow on delete cascade,
  step_key text not null,
  state json not null,
  created_at timestamptz not null default now(),
  primary key (workflow_id, step_key)
);
create table approval (
  approval_id uuid primary key,
  workflow_id uuid not null references workflow on delete cascade,
  request json not null,
  answer json,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);

create table execution_trace (
  trace_id uuid primary key,
  ${SCOPED},
  owner text not null default '',
  capability_id uuid references workflow_pattern on delete set null,
  parent_trace_id uuid,
  workflow_id uuid,
  intent text,
  success boolean not null,
  all_calls_succeeded boolean not null,
  error text,
  args json,
  result json,
  executed_path json not null,
  decisions json not null,
  tasks json not null,
  recording json,
  resolutions json,
  mode text,
  match_score double precision,
  counted boolean not null default true,
  feedback json,
  bytes int not null,
  started_at timestamptz not null,
  duration_ms double precision not null,
  created_by text not null
);
create index execution_trace_capability on execution_trace (capability_id, started_at desc);
create index execution_trace_age on execution_trace (org, project, started_at);

create table task_result (
  workflow_id uuid not null,
  task_id text not null,
  ${SCOPED},
  result json,
  expires_at timestamptz not null,
  primary key (workflow_id, task_id)
);
create index task_result_expiry on task_result (expires_at);

create table intent_memory (
  intent_id uuid primary key,
  ${SCOPED},
  owner text not null default '',
  intent text not null,
  intent_hash text not null,
  capability_id uuid references workflow_pattern on delete cascade,
  tools text[] not null default '{}',
  uses int not null default 1,
  last_used_at timestamptz not null default now(),
  unique nulls not distinct (org, project, intent_hash, capability_id)
);
create index intent_memory_capability on intent_memory (capability_id);

create table embedding (
  kind text not null check (kind in ('capability', 'tool', 'intent')),
  owner_id text not null,
  ${SCOPED},
  owner text not null default '',
  visibility text not null default 'project' check (visibility in ('private', 'project', 'org', 'public')),
  embedder_id text not null,
  vector vector not null,
  primary key (kind, org, project, owner_id, embedder_id)
);
create index embedding_shared on embedding (kind, org) where visibility in ('org', 'public');

create table capability_cache (
  id uuid primary key,
  capability_id uuid not null references workflow_pattern on delete cascade,
  params_hash text not null,
  result json,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  hit_count int not null default 0,
  unique (capability_id, params_hash)
);
create table cache_invalidation_log (
  id uuid primary key,
  ${SCOPED},
  trigger_type text not null,
  tool_id text,
  capability_id uuid,
  entries_invalidated int not null,
  created_at timestamptz not null default now()
);

${NAMES}

create table adaptive_threshold (
  ${SCOPED},
  context_key text not null,
  state json not null,
  updated_at timestamptz not null default now(),
  primary key (org, project, context_key)
);
create table learned_weights (
  ${SCOPED},
  model text not null,
  state json not null,
  updated_at timestamptz not null default now(),
  primary key (org, project, model)
);
create table learned_path (
  ${SCOPED},
  path_key text not null,
  nodes json not null,
  times int not null,
  primary key (org, project, path_key)
);
create table learned_type (
  ${SCOPED},
  tool_id text not null,
  shape_key text not null,
  shape json not null,
  times int not null,
  primary key (org, project, tool_id, shape_key)
);
create table learned_source (
  ${SCOPED},
  source_key text not null,
  subject text not null,
  source json,
  runs int not null,
  primary key (org, project, source_key)
);
create table tool_usage (
  ${SCOPED},
  tool_id text not null,
  calls int not null default 0,
  failures int not null default 0,
  total_duration_ms double precision not null default 0,
  last_used_at timestamptz not null default now(),
  primary key (org, project, tool_id)
);

create table learned_from (
  kind text not null,
  learned_key text not null,
  trace_id uuid not null references execution_trace on delete cascade,
  primary key (kind, learned_key, trace_id)
);
create index learned_from_trace on learned_from (trace_id);
`;
