-- The items that trackers keep of insights (docs/decisions/0033-trackers.md), one of each insight and connection, besides those
-- that are gone.
create table remote_item (
  workspace_id uuid not null,
  -- Chosen before the first request to create the item and stored in it at the provider, by which it is found again.
  marker uuid not null default gen_random_uuid(),
  connection_id uuid not null,
  issue_number integer not null,
  -- The provider's id, once it is known.
  remote_id text,
  url text,
  label text,
  -- gone: deleted there, or moved out of reach. Only a person's push creates another one after that.
  state text not null check (state in ('creating', 'open', 'closed', 'gone')) default 'creating',
  -- The provider's own word for its state.
  state_name text,
  -- The connector's own.
  data jsonb not null default '{}',
  -- When the last request to create it began; null: there was none. Its outcome is unknown while the state is creating.
  began_at timestamptz,
  -- The version of the insight that was sent last: when it was frozen, in milliseconds since 1970.
  sent_version bigint,
  -- The delivery that works on it, and until when.
  held_by uuid,
  held_until timestamptz,
  -- When its state was read last, and when it is read next.
  checked_at timestamptz,
  next_check_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, marker),
  check (state = 'creating' or remote_id is not null),
  foreign key (workspace_id, connection_id) references connection on delete cascade,
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create unique index remote_item_current on remote_item (workspace_id, connection_id, issue_number) where state <> 'gone';
create index remote_item_of_insight on remote_item (workspace_id, issue_number);
create index remote_item_by_id on remote_item (workspace_id, connection_id, remote_id);
create index remote_item_due on remote_item (next_check_at) where state in ('open', 'closed');

grant select, insert, update, delete on remote_item to groundswell_app;
alter table remote_item enable row level security;
alter table remote_item force row level security;
create policy tenant on remote_item using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

do $$
begin
  execute format('create policy owner_lists on remote_item for select to %I using (true)', current_user);
end $$;

-- Items whose state is due to be read from a tracker that can be asked.
create function workspaces_with_due_items(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct i.workspace_id from remote_item i
    where i.state in ('open', 'closed') and i.next_check_at <= at
      and exists (
        select from connection c where c.workspace_id = i.workspace_id and c.id = i.connection_id
          and c.disconnected_at is null and not c.paused and not c.signed_out)
  $$;
revoke all on function workspaces_with_due_items(timestamptz) from public;
grant execute on function workspaces_with_due_items(timestamptz) to groundswell_app;

-- confirming: it is not known yet whether the last attempt created the item.
alter table delivery drop constraint delivery_waits_for_check;
alter table delivery add constraint delivery_waits_for_check
  check (waits_for in ('held', 'hourly', 'retry', 'retry-after', 'rate-limited', 'confirming'));

-- True: an item that was closed is reopened when its insight is mentioned again; else it gets a comment.
alter table connection add column reopen_items boolean not null default false;

-- What had been heard of an insight when it became resolved: more than that makes it regress.
alter table insight add column resolved_heard integer;

alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone', 'item_gone'));
