-- Owner: server/features/deliveries. Test: server/platform/sweep/sweep.test.ts.

-- Deliveries that could go now, and those that wait for a destination that is gone.
create or replace function workspaces_to_deliver(at timestamptz) returns setof uuid
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
revoke all on function workspaces_to_deliver(timestamptz) from public;
grant execute on function workspaces_to_deliver(timestamptz) to groundswell_app;

-- Items whose state is due to be read from a tracker that can be asked.
create or replace function workspaces_with_due_items(at timestamptz) returns setof uuid
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
