-- The state of a source's sync: so far columns of its connection, now a table of the feature that writes it
-- (docs/decisions/0026-tables-have-owners.md).

create table sync_state (
  workspace_id uuid not null,
  connection_id uuid not null,
  -- stopped: the connection was disconnected, or its sign-in ended. The next sign-in begins a sync; until then none is due.
  status text not null check (status in ('syncing', 'idle', 'stopped')),
  -- Where the next page begins; null: at the beginning.
  cursor jsonb,
  -- Rises with every page that is stored: of two readers that began at the same step, one stops.
  step integer not null default 0,
  -- Of the current sync, else of the last one.
  read_count integer not null default 0,
  total_count integer,
  -- What is known to be missing, as text.
  incomplete text,
  moved_at timestamptz not null,
  -- The provider asked for a pause until then.
  waiting_until timestamptz,
  -- When a sync last read everything.
  last_sync_at timestamptz,
  primary key (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- The owner of the tables reads every row here even if it is not the role that ran earlier migrations.
alter table connection no force row level security;

insert into sync_state (workspace_id, connection_id, status, cursor, step, read_count, total_count, incomplete, moved_at,
  waiting_until, last_sync_at)
select workspace_id, id,
  case when disconnected_at is not null or signed_out then 'stopped' when status = 'syncing' then 'syncing' else 'idle' end,
  cursor, sync_step, read_count, total_count, incomplete, coalesce(sync_moved_at, last_sync_at, created_at), waiting_until,
  last_sync_at
from connection
where account is not null or status = 'syncing' or cursor is not null or sync_moved_at is not null or last_sync_at is not null;

alter table connection force row level security;

grant select, insert, update, delete on sync_state to groundswell_app;
alter table sync_state enable row level security;
alter table sync_state force row level security;
create policy tenant on sync_state using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

do $$
begin
  execute format('create policy owner_lists on sync_state for select to %I using (true)', current_user);
end $$;

-- A sync that was stopped is in neither index.
create index sync_state_running on sync_state (greatest(moved_at, waiting_until)) where status = 'syncing';
create index sync_state_idle on sync_state (greatest(moved_at, waiting_until)) where status = 'idle';

-- A connection that ends, or whose sign-in ends, stops its sync in the same transaction. A pause that the provider asked for
-- outlives a disconnection, but not the end of a sign-in.
create function stop_sync() returns trigger language plpgsql as $$
begin
  update sync_state
  set status = 'stopped', waiting_until = case when new.signed_out then null else waiting_until end
  where workspace_id = new.workspace_id and connection_id = new.id;
  return null;
end $$;
create trigger stop_sync after update of disconnected_at, signed_out on connection
  for each row when (new.disconnected_at is not null or new.signed_out) execute function stop_sync();

-- Sources whose sync stands still or is due, events not handled yet or no longer needed, and sign-ins that were not finished.
create or replace function workspaces_to_sync(
  pulled text[], stalled_before timestamptz, due_before timestamptz,
  events_from timestamptz, events_to timestamptz, events_before timestamptz, at timestamptz)
  returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from sync_state
    where status = 'syncing' and greatest(moved_at, waiting_until) < stalled_before
    union
    -- Looks up the connection of each due sync: a join might be planned as a scan of all connections.
    select workspace_id from sync_state s
    where status = 'idle' and greatest(moved_at, waiting_until) < due_before
      and (select connector from connection c where c.workspace_id = s.workspace_id and c.id = s.connection_id) = any(pulled)
    union
    select workspace_id from provider_event where kept is not null and received_at between events_from and events_to
    union
    select workspace_id from provider_event where received_at < events_before
    union
    select workspace_id from oauth_state where expires_at <= at
  $$;

drop index connection_syncing;
drop index connection_next_sync;

alter table connection
  drop column status,
  drop column cursor,
  drop column read_count,
  drop column total_count,
  drop column incomplete,
  drop column last_sync_at,
  drop column sync_step,
  drop column sync_moved_at,
  drop column waiting_until;
