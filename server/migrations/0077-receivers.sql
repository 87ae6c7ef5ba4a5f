-- Webhooks for events of a workspace (docs/decisions/0073-outgoing-webhooks.md).

create table receiver (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The address, which may contain a key, and the signing secrets. Null: a backup without secrets left them out.
  sealed text,
  description text not null,
  -- Null: all of them, also those of later versions.
  events text[],
  -- Null: enabled. Else why events are not sent to it.
  disabled_because text check (disabled_because in ('person', 'gone', 'failing')),
  disabled_at timestamptz,
  -- The first failed attempt since the last successful one.
  failing_since timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

-- What happened. Its id is the `webhook-id` of every attempt.
create table outgoing_event (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null,
  -- Null: a test.
  issue_number integer,
  merged_into integer,
  -- The changed fields with their values before; null where they are not kept.
  changed jsonb not null default '{}',
  happened_at timestamptz not null,
  -- The body, written for the first attempt; the same for every later one.
  payload text,
  primary key (workspace_id, id)
);
create index outgoing_event_age on outgoing_event (happened_at);
create index outgoing_event_newest on outgoing_event (workspace_id, happened_at);
create index outgoing_event_of_insight on outgoing_event (workspace_id, issue_number, happened_at);

-- One event for one receiver.
create table receiver_delivery (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  receiver_id uuid not null,
  event_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
  -- waiting: of the next attempt; sending: when the worker that made it counts as gone.
  due_at timestamptz,
  attempts integer not null default 0,
  -- Failed attempts since the delivery was asked for, which choose the next pause.
  failures smallint not null default 0,
  attempted_at timestamptz,
  status smallint,
  error text,
  primary key (workspace_id, id),
  unique (workspace_id, receiver_id, event_id),
  foreign key (workspace_id, receiver_id) references receiver on delete cascade,
  foreign key (workspace_id, event_id) references outgoing_event on delete cascade
);
create index receiver_delivery_due on receiver_delivery (due_at) where due_at is not null;
create index receiver_delivery_next on receiver_delivery (workspace_id, receiver_id, due_at) where due_at is not null;
create index receiver_delivery_of_event on receiver_delivery (workspace_id, event_id);

grant select, insert, update, delete on receiver, outgoing_event, receiver_delivery to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['receiver', 'outgoing_event', 'receiver_delivery'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

-- Adds an event with a delivery for each receiver that wants it. What a transaction changes in an insight is one event of each type.
create function add_outgoing_event(of_workspace uuid, number integer, event text, fields jsonb, target integer) returns void
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
create function note_outgoing_change() returns trigger language plpgsql as $$
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
create trigger told_receivers after update on insight for each row
  when (old.name <> new.name or old.status <> new.status or old.team_status is distinct from new.team_status
    or old.hidden <> new.hidden or old.ended_at is distinct from new.ended_at or old.deleted_at is distinct from new.deleted_at)
  execute function note_outgoing_change();

-- A person's change of a tag is in the history, the engine's is not.
create function note_outgoing_tag() returns trigger language plpgsql as $$
begin
  perform add_outgoing_event(new.workspace_id, new.issue_number, 'insight.updated', '{"tags": null}', null);
  return null;
end $$;
create trigger told_receivers after insert on insight_event for each row
  when (new.event = 'tagged') execute function note_outgoing_tag();

-- Where a delivery is due, or an event is older than it is kept.
create function workspaces_with_due_events(at timestamptz, kept_since timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select delivery.workspace_id from receiver_delivery delivery
    join receiver on receiver.workspace_id = delivery.workspace_id and receiver.id = delivery.receiver_id
    where delivery.due_at <= at and receiver.disabled_because is null
    union select workspace_id from outgoing_event where happened_at < kept_since
  $$;
revoke all on function workspaces_with_due_events(timestamptz, timestamptz) from public;
grant execute on function workspaces_with_due_events(timestamptz, timestamptz) to groundswell_app;
