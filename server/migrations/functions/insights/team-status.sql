-- Owner: server/features/insights. Test: server/features/insights/team-status/team-status.test.ts.

-- Adds each change to the history. `by`: the person, where the transaction names one; `tag`: not a person's choice.
create or replace function note_team_status() returns trigger language plpgsql as $$
begin
  insert into insight_event (workspace_id, issue_number, event, detail)
  values (new.workspace_id, new.issue_number, 'team_status', jsonb_strip_nulls(jsonb_build_object(
    'by', nullif(current_setting('groundswell.person', true), ''), 'from', old.team_status, 'to', new.team_status,
    'tag', case when new.team_status_by is null then 'tracker' end)));
  return null;
end $$;
create or replace trigger changed_team_status after update of team_status on insight for each row
  when (old.team_status is distinct from new.team_status) execute function note_team_status();
