-- Owner: server/features/insights. Test: server/features/insights/assignment/assignment.test.ts.

-- Adds each change to the history. `by`: the person, where the transaction names one; `from`, `to`: accounts.
create or replace function note_assignment() returns trigger language plpgsql as $$
begin
  insert into insight_event (workspace_id, issue_number, event, detail)
  values (new.workspace_id, new.issue_number, 'assigned', jsonb_strip_nulls(jsonb_build_object(
    'by', nullif(current_setting('groundswell.person', true), ''), 'from', old.assigned_to, 'to', new.assigned_to)));
  return null;
end $$;
create or replace trigger changed_assignment after update of assigned_to on insight for each row
  when (old.assigned_to is distinct from new.assigned_to) execute function note_assignment();

-- Work that is assigned to a person who leaves, or becomes a viewer, is nobody's from then on, whichever way it happens. Lists show it.
create or replace function unassign_member() returns trigger language plpgsql as $$
declare raised bigint;
begin
  if exists (select from insight where workspace_id = old.workspace_id and assigned_to = old.account_id) then
    update workspace set revision = revision + 1 where workspace_id = old.workspace_id returning revision into raised;
    update insight set assigned_to = null, revision = coalesce(raised, revision)
    where workspace_id = old.workspace_id and assigned_to = old.account_id;
    if raised is not null then
      perform pg_notify('revision', old.workspace_id || ':' || raised);
    end if;
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;
create or replace trigger unassign_who_leaves before delete on member for each row execute function unassign_member();
create or replace trigger unassign_viewer before update of role on member for each row
  when (new.role = 'viewer') execute function unassign_member();
