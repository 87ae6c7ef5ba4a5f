-- Roles in a workspace, and people in several of them (docs/decisions/0068-team.md).
alter table member
  drop constraint member_role_check,
  add constraint member_role_check check (role in ('owner', 'member', 'viewer')),
  -- False for the person for whom the workspace was created.
  add column invited boolean not null default false,
  -- When the person last chose to work there: the next sign-in begins in the latest.
  add column entered_at timestamptz;

-- What an account may do in a workspace: for a sign-in or a key, before the transaction is of either. Null: it is no member.
create function member_role(of_workspace uuid, of_account uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select role from member where workspace_id = of_workspace and account_id = of_account $$;

-- Where an account works: the workspace that it entered last, or else joined first.
create function entered_workspace(of_account uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from member where account_id = of_account
    order by entered_at desc nulls last, created_at, workspace_id limit 1
  $$;

-- The workspaces of an account by name, which row-level security shows one at a time only.
create function workspaces_of_account(of_account uuid) returns table (workspace_id uuid, name text, role text, invited boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id, w.name, m.role, m.invited from member m join workspace w on w.workspace_id = m.workspace_id
    where m.account_id = of_account order by w.name, w.workspace_id
  $$;

do $$
declare f regprocedure;
begin
  foreach f in array array['member_role(uuid, uuid)', 'entered_workspace(uuid)', 'workspaces_of_account(uuid)']::regprocedure[]
  loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to groundswell_app', f);
  end loop;
end $$;
