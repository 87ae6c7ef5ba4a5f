-- Each worker that starts seals what an earlier version stored in plain text. One query finds where there is anything: a start
-- does not visit every workspace.
create function workspaces_to_seal(secret_fields jsonb) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct workspace_id from connection
    where settings ?| array(select jsonb_array_elements_text(secret_fields -> connector))
  $$;
revoke all on function workspaces_to_seal(jsonb) from public;
grant execute on function workspaces_to_seal(jsonb) to groundswell_app;
