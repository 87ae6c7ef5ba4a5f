-- Owner: server/auth. Test: server/auth/sso/sign-in.test.ts.

-- Whether a workspace requires a sign-in by its provider from an account. Owners may sign in another way, so that a provider that fails
-- locks nobody out for good.
create or replace function requires_sso(of_workspace uuid, of_account uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select exists (select from sso_provider where workspace_id = of_workspace and required)
      and coalesce(member_role(of_workspace, of_account), '') <> 'owner'
  $$;
revoke all on function requires_sso(uuid,uuid) from public;
grant execute on function requires_sso(uuid,uuid) to groundswell_app;
