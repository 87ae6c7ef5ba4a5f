-- Owner: server/features/insights. Test: server/features/insights/corrections/corrections.test.ts.

-- Adds changes to the history of an insight and dates them. A new name is dated by itself: `last_updated` does not move when the engine finds one.
create or replace function note_insight_change() returns trigger language plpgsql as $$
declare
  who jsonb := jsonb_strip_nulls(jsonb_build_object('by', nullif(current_setting('groundswell.person', true), '')));
begin
  if new.name <> old.name then
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (new.workspace_id, new.issue_number, 'renamed', who || jsonb_build_object('from', old.name, 'to', new.name));
  end if;
  if new.status <> old.status then
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (new.workspace_id, new.issue_number, 'status', jsonb_build_object('from', old.status, 'to', new.status));
  end if;
  if old.ended_at is null and new.ended_at is not null then
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (new.workspace_id, new.issue_number, new.ended_at, case when new.merged_into is null then 'ended' else 'merged' end,
      who || jsonb_strip_nulls(jsonb_build_object('into', new.merged_into)));
    if new.merged_into is not null then
      insert into insight_event (workspace_id, issue_number, at, event, detail)
      values (new.workspace_id, new.merged_into, new.ended_at, 'absorbed',
        who || jsonb_build_object('from', new.issue_number, 'name', new.name));
    end if;
  end if;
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    insert into insight_event (workspace_id, issue_number, event)
    values (new.workspace_id, new.issue_number, case when new.deleted_at is null then 'restored' else 'deleted' end);
  end if;
  return null;
end $$;
create or replace trigger changed_insight after update on insight for each row
  when (new.name <> old.name or new.status <> old.status or old.ended_at is distinct from new.ended_at
    or old.deleted_at is distinct from new.deleted_at)
  execute function note_insight_change();
