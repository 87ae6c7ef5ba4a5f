-- Owner: server/features/receivers. Test: server/features/receivers/events.test.ts.

-- Adds an event with a delivery for each receiver that wants it. What a transaction changes in an insight is one event of each type.
create or replace function add_outgoing_event(of_workspace uuid, number integer, event text, fields jsonb, target integer) returns void
  language plpgsql as $$
declare
  event_id uuid;
begin
  if not exists (select from receiver
      where workspace_id = of_workspace and disabled_because is null and (events is null or event = any(events))) then
    return;
  end if;
  update outgoing_event set changed = fields || changed
  where workspace_id = of_workspace and issue_number = number and happened_at = now() and type = event;
  if found then
    return;
  end if;
  insert into outgoing_event (workspace_id, type, issue_number, merged_into, changed, happened_at)
  values (of_workspace, event, number, target, fields, now()) returning id into event_id;
  -- In the past, so that it is due by the clock of every worker.
  insert into receiver_delivery (workspace_id, receiver_id, event_id, due_at)
  select of_workspace, id, event_id, now() - interval '1 minute' from receiver
  where workspace_id = of_workspace and disabled_because is null and (events is null or event = any(events));
  perform pg_notify('outgoing_event', of_workspace::text);
end $$;

-- An insight is in the table while it is neither deleted, ended nor hidden.
create or replace function note_outgoing_change() returns trigger language plpgsql as $$
declare
  was_shown boolean := old.deleted_at is null and old.ended_at is null and not old.hidden;
  is_shown boolean := new.deleted_at is null and new.ended_at is null and not new.hidden;
begin
  if is_shown and not was_shown then
    -- One that comes back is hidden until its mentions are counted, as a new one is: its history tells them apart.
    perform add_outgoing_event(new.workspace_id, new.issue_number,
      case when exists (select from insight_event one
          where one.workspace_id = new.workspace_id and one.issue_number = new.issue_number
            and one.event in ('deleted', 'ended', 'merged'))
        then 'insight.restored' else 'insight.created' end, '{}', null);
  elsif was_shown and not is_shown then
    perform add_outgoing_event(new.workspace_id, new.issue_number,
      case when new.deleted_at is null and new.merged_into is not null then 'insight.merged' else 'insight.deleted' end,
      '{}', new.merged_into);
  end if;
  if not is_shown or not was_shown then
    return null;
  end if;
  -- The engine renames insights as they grow; only what a person changes is an event.
  if new.name <> old.name and nullif(current_setting('groundswell.person', true), '') is not null then
    perform add_outgoing_event(new.workspace_id, new.issue_number, 'insight.updated', jsonb_build_object('name', old.name), null);
  end if;
  if new.status <> old.status then
    perform add_outgoing_event(new.workspace_id, new.issue_number,
      case when new.status in ('pushed', 'resolved', 'regressed') then 'insight.' || new.status else 'insight.updated' end,
      jsonb_build_object('status', old.status), null);
  end if;
  if new.team_status is distinct from old.team_status then
    perform add_outgoing_event(new.workspace_id, new.issue_number, 'insight.team_status_changed',
      jsonb_build_object('team_status', old.team_status), null);
  end if;
  return null;
end $$;
create or replace trigger told_receivers after update on insight for each row
  when (old.name <> new.name or old.status <> new.status or old.team_status is distinct from new.team_status
    or old.hidden <> new.hidden or old.ended_at is distinct from new.ended_at or old.deleted_at is distinct from new.deleted_at)
  execute function note_outgoing_change();

-- A person's change of a tag is in the history, the engine's is not.
create or replace function note_outgoing_tag() returns trigger language plpgsql as $$
begin
  perform add_outgoing_event(new.workspace_id, new.issue_number, 'insight.updated', '{"tags": null}', null);
  return null;
end $$;
create or replace trigger told_receivers after insert on insight_event for each row
  when (new.event = 'tagged') execute function note_outgoing_tag();

-- Where a delivery is due, or an event is older than it is kept.
create or replace function workspaces_with_due_events(at timestamptz, kept_since timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select delivery.workspace_id from receiver_delivery delivery
    join receiver on receiver.workspace_id = delivery.workspace_id and receiver.id = delivery.receiver_id
    where delivery.due_at <= at and receiver.disabled_because is null
    union select workspace_id from outgoing_event where happened_at < kept_since
  $$;
revoke all on function workspaces_with_due_events(timestamptz,timestamptz) from public;
grant execute on function workspaces_with_due_events(timestamptz,timestamptz) to groundswell_app;
