-- Single sign-on of a workspace by OpenID Connect (docs/decisions/0075-single-sign-on.md). A person is known by an identity whose provider
-- is `sso:` and the issuer, and whose subject is theirs there.
create table sso_provider (
  workspace_id uuid primary key references workspace on delete cascade,
  issuer text not null,
  client_id text not null,
  -- Null: the workspace comes from a backup without secrets.
  sealed_secret text,
  -- People with e-mail addresses in these may join; empty: nobody new.
  domains text[] not null default '{}',
  default_role text not null check (default_role in ('member', 'viewer')),
  enabled boolean not null default false,
  required boolean not null default false check (enabled or not required),
  -- When the issuer, the app or its secret was last changed: a sign-in that was started before is not finished.
  changed_at timestamptz not null,
  -- When a sign-in last succeeded since; null: none did.
  tested_at timestamptz
);

grant select, insert, update, delete on sso_provider to groundswell_app;
alter table sso_provider enable row level security;
alter table sso_provider force row level security;
create policy tenant on sso_provider using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

-- Made by the single sign-on of its workspace: it acts nowhere else.
alter table session add column by_sso boolean not null default false;

alter table flow_state
  -- The workspace to whose provider the person was sent; null: it has to do with no single sign-on.
  add column sso_workspace_id uuid,
  add column sso_purpose text check (sso_purpose in ('sign-in', 'link', 'test'));

-- Whether a workspace requires a sign-in by its provider from an account. Owners may sign in another way, so that a provider that fails
-- locks nobody out for good.
create function requires_sso(of_workspace uuid, of_account uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select exists (select from sso_provider where workspace_id = of_workspace and required)
      and coalesce(member_role(of_workspace, of_account), '') <> 'owner'
  $$;

-- Row-level security is forced on the tables' owner too, as whom the function reads.
do $$
begin
  execute format('create policy owner_lists on sso_provider for select to %I using (true)', current_user);
  revoke all on function requires_sso(uuid, uuid) from public;
  grant execute on function requires_sso(uuid, uuid) to groundswell_app;
end $$;
