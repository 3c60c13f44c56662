/**
 * What it takes to forget a run: who speaks for a capability beside its runs, what each run was given to run, how often it
 * taught a thing, and which answers it left. What was stored before is told apart as well as it can be. And which process is
 * at a run, so that no other takes it for cut off.
 */
export const FORGETTING: string = `
alter table workflow_pattern add column vouched text check (vouched in ('draft', 'active'));
update workflow_pattern w set vouched = case status when 'draft' then 'draft' else 'active' end
  where not exists (select 1 from execution_trace t where t.capability_id = w.pattern_id and t.mode = 'direct');
alter table workflow add column holder uuid;
alter table workflow add column held_until timestamptz;
alter table execution_trace add column work json;
alter table execution_trace add column work_hash text;
alter table capability_cache add column trace_id uuid references execution_trace on delete cascade;
create index capability_cache_trace on capability_cache (trace_id);
alter table learned_from add column times int not null default 1;
insert into learned_from (kind, learned_key, trace_id)
  select kind, capability_id::text, trace_id from execution_trace, unnest(array['workflow_pattern', 'capability_learning']) kind
  where capability_id is not null and (kind = 'workflow_pattern' or (counted and mode is not null)) on conflict do nothing;
delete from learned_from l using execution_trace t where l.trace_id = t.trace_id and kind = 'intent_memory'
  and strpos(feedback::text, '"ok":false') > 0;
`;
