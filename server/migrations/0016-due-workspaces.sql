-- Periodic work asks in one query which workspaces have something to do. Row-level security shows one workspace's rows only,
-- to the tables' owner too, so that functions of the owner answer: with ids of workspaces and nothing else of them.

-- The state of a workspace in which a sweep found nothing to do. Until `revision`, `group_version` or `rules` differs, or `again_at` is
-- reached, the sweep does not look at that workspace again. Without a row it does.
create table sweep_mark (
  workspace_id uuid not null references workspace on delete cascade,
  sweep text not null,
  -- Of the workspace; then the version of its groups (engine_state.head).
  revision bigint not null,
  group_version bigint not null,
  -- What else the sweep decides by, such as the version of its code.
  rules text not null,
  again_at timestamptz not null,
  primary key (workspace_id, sweep)
);

grant select, insert, update, delete on sweep_mark to groundswell_app;
alter table sweep_mark enable row level security;
alter table sweep_mark force row level security;
create policy tenant on sweep_mark using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

-- Only rows that call for work are in these, so that a look at them does not grow with what is done.
create index insight_marked on insight (workspace_id) where removed_in_engine <> (deleted_at is not null);
create index connection_syncing on connection (workspace_id) where status = 'syncing' and disconnected_at is null;
create index connection_next_sync on connection (connector, greatest(sync_moved_at, waiting_until, created_at))
  where status = 'connected' and disconnected_at is null and not signed_out;
create index provider_event_unfollowed on provider_event (received_at) where kept is not null;
create index provider_event_at on provider_event (received_at);
create index model_description_retry on model_description (retry_at) where retry_at is not null;
create index model_look_retry on model_look (retry_at) where retry_at is not null;
create index import_open on import (workspace_id)
  where state in ('waiting', 'running', 'asking') or not (options ->> 'uploaded')::boolean;

do $$
declare t text;
begin
  foreach t in array array['feedback_item', 'forgotten_item', 'correction', 'model_join', 'insight', 'engine_state',
    'delivery', 'import', 'provider_event', 'oauth_state', 'model_description', 'model_look', 'embedding_switch',
    'embedding_choice', 'sweep_mark'] loop
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

-- The state of a workspace that sweeps compare; no row when it is gone.
create function workspace_position(of_workspace uuid, out revision bigint, out group_version bigint) returns setof record
  language sql stable set search_path = public, pg_temp
  as $$
    select w.revision, coalesce(e.head, 0)::bigint
    from workspace w left join engine_state e on e.workspace_id = w.workspace_id
    where w.workspace_id = of_workspace
  $$;

-- Workspaces that changed since a sweep found nothing to do in them.
create function workspaces_changed_since_sweep(of_sweep text, by_rules text, at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id
    from workspace w
    left join engine_state e on e.workspace_id = w.workspace_id
    left join sweep_mark m on m.workspace_id = w.workspace_id and m.sweep = of_sweep
    where m.workspace_id is null or m.revision <> w.revision or m.group_version <> coalesce(e.head, 0)
      or m.rules <> by_rules or m.again_at <= at
  $$;

create function workspaces_to_group() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from feedback_item where grouped_seq is null
    union select workspace_id from forgotten_item
    union select workspace_id from correction where state = 'waiting' or undoing
    union select workspace_id from model_join where state = 'waiting'
    union select workspace_id from insight where removed_in_engine <> (deleted_at is not null)
  $$;

-- Deliveries that could go now, and those that wait for a destination that is gone.
create function workspaces_to_deliver(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select d.workspace_id from delivery d
    join connection c on c.workspace_id = d.workspace_id and c.id = d.connection_id
    where d.state in ('waiting', 'sending') and not c.paused and not c.signed_out and c.disconnected_at is null
      and ((d.state = 'waiting' and d.next_attempt_at <= at) or (d.state = 'sending' and d.lease_until <= at))
    union
    select d.workspace_id from delivery d
    join connection c on c.workspace_id = d.workspace_id and c.id = d.connection_id
    where d.state in ('waiting', 'sending') and c.disconnected_at is not null
      and (d.state = 'waiting' or d.lease_until <= at)
  $$;

-- Imports whose job may be lost, uploads that never ended, and questions that nobody answered.
create function workspaces_to_import(lost_before timestamptz, abandoned_before timestamptz, unanswered_before timestamptz)
  returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct workspace_id from import
    where (state in ('waiting', 'running', 'asking') or not (options ->> 'uploaded')::boolean)
      and ((state in ('waiting', 'running') and (options ->> 'uploaded')::boolean and started_at < lost_before)
        or (not (options ->> 'uploaded')::boolean and started_at < abandoned_before)
        or (state = 'asking' and started_at < unanswered_before))
  $$;

-- Sources whose sync stands still or is due, events not handled yet or no longer needed, and sign-ins that were not finished.
create function workspaces_to_sync(
  pulled text[], stalled_before timestamptz, due_before timestamptz,
  events_from timestamptz, events_to timestamptz, events_before timestamptz, at timestamptz)
  returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from connection
    where status = 'syncing' and disconnected_at is null and greatest(sync_moved_at, waiting_until) < stalled_before
    union
    select workspace_id from connection
    where status = 'connected' and disconnected_at is null and not signed_out and connector = any(pulled)
      and greatest(sync_moved_at, waiting_until, created_at) < due_before
    union
    select workspace_id from provider_event where kept is not null and received_at between events_from and events_to
    union
    select workspace_id from provider_event where received_at < events_before
    union
    select workspace_id from oauth_state where expires_at <= at
  $$;

-- Insights and groups that a language model is to be asked about again.
create function workspaces_to_ask_model_again(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from model_description where retry_at <= at
    union select workspace_id from model_look where retry_at <= at
  $$;

-- Switches of the embedding model that are being prepared or applied.
create function workspaces_switching_embeddings() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select workspace_id from embedding_switch where state in ('gathering', 'grouping', 'applying') $$;

-- What any workspace groups with.
create function embedding_spaces_in_use() returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct space from embedding_choice $$;

do $$
declare f regprocedure;
begin
  foreach f in array array['workspaces_changed_since_sweep(text, text, timestamptz)', 'workspaces_to_group()',
    'workspaces_to_ask_model_again(timestamptz)', 'workspaces_switching_embeddings()', 'embedding_spaces_in_use()',
    'workspaces_to_deliver(timestamptz)', 'workspaces_to_import(timestamptz, timestamptz, timestamptz)',
    'workspaces_to_sync(text[], timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz)']::regprocedure[]
  loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to groundswell_app', f);
  end loop;
end $$;
