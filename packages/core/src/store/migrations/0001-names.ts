/** Columns that keep each row within its project. */
export const SCOPED = "org text not null, project text not null";

/** The tables of names: what stands where, what it was called, and what it stood for. */
export const NAMES: string = `
create table capability_records (
  id text primary key,
  capability_id uuid references workflow_pattern on delete set null,
  display_name text not null,
  ${SCOPED},
  owner text not null default '',
  namespace text not null,
  action text not null,
  hash text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  version int not null default 1,
  version_tag text,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  parent_id text,
  forked_from text,
  tags text[] not null default '{}',
  visibility text not null default 'project' check (visibility in ('private', 'project', 'org', 'public')),
  deleted_at timestamptz,
  unique (display_name, org, project, owner),
  unique (hash, org, project)
);
create index capability_records_capability on capability_records (capability_id);
create index capability_records_namespace on capability_records (namespace, org, project);
create index capability_records_creator on capability_records (created_by);
create index capability_records_tags on capability_records using gin (tags);
create index capability_records_shared on capability_records (visibility) where visibility in ('org', 'public');

create table capability_aliases (
  alias text not null,
  ${SCOPED},
  owner text not null default '',
  target_fqdn text not null references capability_records on update cascade on delete cascade,
  created_at timestamptz not null default now(),
  primary key (alias, org, project, owner)
);
create index capability_aliases_target on capability_aliases (target_fqdn);
create table capability_versions (
  id uuid primary key,
  capability_fqdn text not null references capability_records on update cascade on delete cascade,
  version int not null,
  version_tag text,
  capability_id uuid not null references workflow_pattern on delete cascade,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  change_summary text,
  unique (capability_fqdn, version),
  unique (capability_fqdn, version_tag)
);
create index capability_versions_capability on capability_versions (capability_id);
create table capability_rename_history (
  id uuid primary key,
  capability_fqdn text not null references capability_records on update cascade on delete cascade,
  capability_id uuid references workflow_pattern on delete set null,
  old_name text,
  new_name text not null,
  renamed_by text not null,
  renamed_at timestamptz not null default now()
);
create index capability_rename_history_record on capability_rename_history (capability_fqdn);`;
