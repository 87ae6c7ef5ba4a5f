-- Keys for programs (docs/decisions/0066-api-keys.md). A key belongs to the member who made it, and goes with the membership.
create table api_key (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- SHA-256 of a random token, which is not stored.
  token_hash bytea not null,
  -- The first characters of the token, to tell keys apart.
  token_start text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create unique index api_key_token_hash on api_key (token_hash);
create index api_key_account on api_key (account_id);

grant select, insert, update, delete on api_key to groundswell_app;
alter table api_key enable row level security;
alter table api_key force row level security;
create policy tenant on api_key using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
-- Whoever has a key finds it before its workspace is known.
create policy bearer on api_key for select
  using (token_hash = decode(nullif(current_setting('groundswell.api_key', true), ''), 'hex'));
-- A person finds their own keys, and deletes them when they lose the account.
create policy own on api_key for select using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy own_end on api_key for delete using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
