-- Read-only links to what a workspace shows (docs/decisions/0070-shared-links.md). A link belongs to the member who made it, and goes with
-- the membership.
create table shared_link (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- SHA-256 of a random token, which is not stored.
  token_hash bytea not null,
  -- Not a reference: a link to an insight that is gone says so.
  issue_number integer,
  hide_names boolean not null,
  hide_quotes boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create unique index shared_link_token_hash on shared_link (token_hash);
create index shared_link_account on shared_link (account_id);

grant select, insert, update, delete on shared_link to groundswell_app;
alter table shared_link enable row level security;
alter table shared_link force row level security;
create policy tenant on shared_link using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
-- The bearer of a link finds it before its workspace is known.
create policy bearer on shared_link for select
  using (token_hash = decode(nullif(current_setting('groundswell.shared_link', true), ''), 'hex'));
-- A person finds their own links, and deletes them when they lose the account.
create policy own on shared_link for select using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy own_end on shared_link for delete using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
