-- Owner: server/features/workspaces. Test: server/database-roles.test.ts.

-- The ids of all workspaces, for periodic work, and nothing else of them.
create or replace function all_workspace_ids() returns setof uuid
  language sql stable security definer set search_path = public
  as $$ select workspace_id from workspace $$;
revoke all on function all_workspace_ids() from public;
grant execute on function all_workspace_ids() to groundswell_app;
