-- Owner: server/features/syncs. Test: server/platform/sweep/sweep.test.ts.

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
revoke all on function workspaces_to_sync(text[],timestamptz,timestamptz,timestamptz,timestamptz,timestamptz,timestamptz) from public;
grant execute on function workspaces_to_sync(text[],timestamptz,timestamptz,timestamptz,timestamptz,timestamptz,timestamptz) to groundswell_app;
