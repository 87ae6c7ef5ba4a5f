-- Invitations to a workspace (docs/decisions/0068-team.md). One that is accepted or revoked is deleted, and those of a person who leaves
-- go with the membership.
create table invitation (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  role text not null check (role in ('owner', 'member', 'viewer')),
  -- Where the link was mailed to; null: it was copied.
  email text,
  invited_by uuid not null,
  -- SHA-256 of a random token, which is not stored.
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, invited_by) references member on delete cascade
);
create unique index invitation_token_hash on invitation (token_hash);
create index invitation_invited_by on invitation (invited_by);

grant select, insert, update, delete on invitation to groundswell_app;
alter table invitation enable row level security;
alter table invitation force row level security;
create policy tenant on invitation using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
-- The bearer of the link finds it before its workspace is known.
create policy bearer on invitation for select
  using (token_hash = decode(nullif(current_setting('groundswell.invitation', true), ''), 'hex'));
-- A person finds the invitations they made.
create policy own on invitation for select using (invited_by = nullif(current_setting('groundswell.account', true), '')::uuid);
