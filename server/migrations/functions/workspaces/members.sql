-- Owner: server/features/workspaces. Test: server/auth/team/team.test.ts.

-- What an account may do in a workspace: for a sign-in or a key, before the transaction is of either. Null: it is no member.
create or replace function member_role(of_workspace uuid, of_account uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select role from member where workspace_id = of_workspace and account_id = of_account $$;
revoke all on function member_role(uuid,uuid) from public;
grant execute on function member_role(uuid,uuid) to groundswell_app;

-- Where an account works: the workspace that it entered last, or else joined first.
create or replace function entered_workspace(of_account uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from member where account_id = of_account
    order by entered_at desc nulls last, created_at, workspace_id limit 1
  $$;
revoke all on function entered_workspace(uuid) from public;
grant execute on function entered_workspace(uuid) to groundswell_app;

-- The workspaces of an account by name, which row-level security shows one at a time only.
create or replace function workspaces_of_account(of_account uuid) returns table (workspace_id uuid, name text, role text, invited boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id, w.name, m.role, m.invited from member m join workspace w on w.workspace_id = m.workspace_id
    where m.account_id = of_account order by w.name, w.workspace_id
  $$;
revoke all on function workspaces_of_account(uuid) from public;
grant execute on function workspaces_of_account(uuid) to groundswell_app;
