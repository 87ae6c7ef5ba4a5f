-- What the team does about an insight, beside its status (docs/decisions/0065-team-status.md).
alter table insight
  add column team_status text check (team_status in ('planned', 'in_progress', 'shipped', 'wont_do')),
  -- Who set it, also where a person set none. Null: nobody; the tracker may set it.
  add column team_status_by text,
  add column team_status_at timestamptz;

alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone', 'item_gone', 'team_status'));

-- Adds each change to the history. `by`: the person, where the transaction names one; `tag`: not a person's choice.
create function note_team_status() returns trigger language plpgsql as $$
begin
  insert into insight_event (workspace_id, issue_number, event, detail)
  values (new.workspace_id, new.issue_number, 'team_status', jsonb_strip_nulls(jsonb_build_object(
    'by', nullif(current_setting('groundswell.person', true), ''), 'from', old.team_status, 'to', new.team_status,
    'tag', case when new.team_status_by is null then 'tracker' end)));
  return null;
end $$;
create trigger changed_team_status after update of team_status on insight for each row
  when (old.team_status is distinct from new.team_status) execute function note_team_status();
