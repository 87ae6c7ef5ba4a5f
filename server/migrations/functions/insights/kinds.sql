-- Owner: server/features/insights. Test: server/features/insights/kinds/kinds.test.ts.

-- The insight that a kind is counted for; 0: no insight; -1: noise.
create or replace function kind_group(kind text, issue_number integer) returns integer language sql immutable as
  $$ select case when kind = 'noise' then -1 else coalesce(issue_number, 0) end $$;

-- The kind that a mention counts as.
create or replace function counted_kind(feedback_kind text, issue_number integer, reason text) returns text language sql immutable as
  $$ select case when issue_number is not null and reason = 'agrees within its conversation' then 'agrees' else feedback_kind end $$;

-- Notes which counts of kinds a change of mentions affects.
create or replace function note_kinds() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into kind_change (workspace_id, issue_number, kind, mentions)
    select workspace_id, kind_group(kind, issue_number), counted_kind(feedback_kind, issue_number, reason), count(*) from made
    where feedback_kind is not null group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into kind_change (workspace_id, issue_number, kind, mentions)
    select workspace_id, kind_group(kind, issue_number), counted_kind(feedback_kind, issue_number, reason), -count(*) from gone
    where feedback_kind is not null group by 1, 2, 3;
  else
    insert into kind_change (workspace_id, issue_number, kind, mentions)
    select workspace_id, kind_group(kind, issue_number), counted_kind(feedback_kind, issue_number, reason), sum(one) from (
      select workspace_id, kind, issue_number, feedback_kind, reason, 1 as one from made
      union all select workspace_id, kind, issue_number, feedback_kind, reason, -1 from gone
    ) changed
    where feedback_kind is not null group by 1, 2, 3 having sum(one) <> 0;
  end if;
  return null;
end $$;
create or replace trigger kinds_made after insert on statement referencing new table as made
  for each statement execute function note_kinds();
create or replace trigger kinds_changed after update on statement referencing old table as gone new table as made
  for each statement execute function note_kinds();
create or replace trigger kinds_gone after delete on statement referencing old table as gone
  for each statement execute function note_kinds();
