-- Owner: server/features/connections. Test: server/features/syncs/events.test.ts.

-- A provider's request names no workspace: the apps it may be signed by (sealed), and the connections it may be about.
create or replace function provider_apps(of_connector text) returns table (workspace_id uuid, sealed text)
  language sql stable security definer set search_path = public
  as $$ select app.workspace_id, app.sealed from provider_app app where app.connector = of_connector and app.sealed is not null $$;
revoke all on function provider_apps(text) from public;
grant execute on function provider_apps(text) to groundswell_app;

-- The connections that a request about an account of a provider may be for.
create or replace function provider_connections(of_connector text, of_account text)
  returns table (workspace_id uuid, id uuid, own_app boolean)
  language sql stable security definer set search_path = public
  as $$
    select c.workspace_id, c.id, exists (
      select from provider_app app where app.workspace_id = c.workspace_id and app.connector = c.connector)
    from connection c
    where c.connector = of_connector and c.account = of_account and c.disconnected_at is null and not c.signed_out
  $$;
revoke all on function provider_connections(text,text) from public;
grant execute on function provider_connections(text,text) to groundswell_app;

-- The connection that a request with this key is for: a provider names no workspace.
create or replace function subscribed_connection(of_connector text, of_key bytea) returns table (workspace_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select c.workspace_id, c.id
    from event_subscription s join connection c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    where s.key_hash = of_key and c.connector = of_connector and c.disconnected_at is null and not c.signed_out
  $$;
revoke all on function subscribed_connection(text,bytea) from public;
grant execute on function subscribed_connection(text,bytea) to groundswell_app;
