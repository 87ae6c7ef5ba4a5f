-- Owner: server/auth. Test: server/account-roles.test.ts.

-- What the app may know of accounts: who is in the workspace of its transaction, and whether they may get mail.
create or replace function people_of_workspace()
  returns table (account_id uuid, name text, email text, email_confirmed_at timestamptz, banned_until timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.id, a.name, a.email, a.email_confirmed_at, a.banned_until from member m join account a on a.id = m.account_id
    where m.workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid $$;
revoke all on function people_of_workspace() from public;
grant execute on function people_of_workspace() to groundswell_app;
