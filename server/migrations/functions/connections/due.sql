-- Owner: server/features/connections. Test: server/platform/sweep/sweep.test.ts.

-- Workspaces with a subscription to check, renew or try again.
create or replace function workspaces_to_subscribe(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct s.workspace_id
    from event_subscription s join connection c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    where s.due_at <= at and c.disconnected_at is null and not c.signed_out
  $$;
revoke all on function workspaces_to_subscribe(timestamptz) from public;
grant execute on function workspaces_to_subscribe(timestamptz) to groundswell_app;

-- Each worker that starts seals what an earlier version stored in plain text. One query finds where there is anything: a start
-- does not visit every workspace.
create or replace function workspaces_to_seal(secret_fields jsonb) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct workspace_id from connection
    where settings ?| array(select jsonb_array_elements_text(secret_fields -> connector))
  $$;
revoke all on function workspaces_to_seal(jsonb) from public;
grant execute on function workspaces_to_seal(jsonb) to groundswell_app;
