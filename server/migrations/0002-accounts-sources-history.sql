-- Accounts that also sign in by an identity provider, a second factor and mail; sources that are signed in to at a provider;
-- the tags and the history of insights; the audit log. Everything that is stored stays. Sign-ins end, since their tokens are
-- of another kind now: people sign in again with their password.

-- Accounts. These tables have no tenant and no row-level security: they are read before anyone is known, to find out who
-- calls and in which workspace. What guards them is that only server/features/accounts reads them, always by the person.

alter table account
  -- Null: signs in by an identity provider only.
  alter column password_hash drop not null,
  add column email_confirmed_at timestamptz,
  -- Asked for, and not confirmed yet.
  add column new_email text,
  add column user_metadata jsonb not null default '{}',
  add column banned_until timestamptz,
  add column last_sign_in_at timestamptz,
  add column confirmation_sent_at timestamptz,
  add column recovery_sent_at timestamptz,
  add column email_change_sent_at timestamptz,
  add column updated_at timestamptz not null default now();

update account set updated_at = created_at,
  last_sign_in_at = (select max(session.created_at) from session where session.account_id = account.id);

drop table session;

-- Who a person is at an identity provider. E-mail and password are not one of these: they are the account's own.
create table identity (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  provider text not null,
  subject text not null,
  email text,
  data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, subject)
);
create index identity_account on identity (account_id);

-- A sign-in: one browser of one person. It ends by its own doing, unused at idle_until, and in any case at expires_at.
create table session (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  workspace_id uuid not null,
  aal text not null check (aal in ('aal1', 'aal2')),
  -- How the person proved who they are, newest first: [{"method", "timestamp"}].
  amr jsonb not null,
  -- True for the one that the account was made in.
  is_first boolean not null default false,
  user_agent text,
  address text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_until timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index session_account on session (account_id);

-- Every refresh token of a sign-in, by its hash. One that was used holds the next one, sealed with itself: so that whoever
-- lost the answer gets it again, and nobody who reads this table gets anything.
create table refresh_token (
  token_hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  next_hash bytea,
  sealed_next text,
  rotated_at timestamptz,
  revoked boolean not null default false,
  created_at timestamptz not null
);
create index refresh_token_session on refresh_token (session_id);

-- Access tokens that are not to be believed although their time has not come: of a session that ended, or from before an
-- account changed or was deleted. Each row stays for as long as such a token could live. Every process knows them by heart.
create table token_notice (
  subject uuid primary key,
  kind text not null check (kind in ('session', 'account')),
  at timestamptz not null
);
create index token_notice_at on token_notice (at);

-- What signs access tokens (ES256). The previous ones verify until the last token that they signed has expired.
create table signing_key (
  id uuid primary key,
  public_jwk jsonb not null,
  sealed_private text not null,
  state text not null check (state in ('current', 'previous')),
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index signing_key_current on signing_key (state) where state = 'current';

-- A second factor. The secret is sealed; it is null after a restore without secrets, when only recovery codes help.
create table factor (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  factor_type text not null check (factor_type = 'totp'),
  friendly_name text not null default '',
  status text not null check (status in ('unverified', 'verified')) default 'unverified',
  sealed_secret text,
  -- The newest time step whose code was accepted: no code counts twice.
  last_step bigint not null default 0,
  last_challenged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index factor_account on factor (account_id);
create unique index factor_name on factor (account_id, friendly_name) where friendly_name <> '';

create table challenge (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references factor on delete cascade,
  session_id uuid not null references session on delete cascade,
  address text not null,
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index challenge_factor on challenge (factor_id);
create index challenge_session on challenge (session_id);

create table recovery_code (
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

-- A sign-in that goes by way of the browser: to an identity provider and back (state_hash, nonce, sealed_verifier), or by a
-- code that the client exchanges (code_hash, code_challenge).
create table flow_state (
  id uuid primary key default gen_random_uuid(),
  provider text not null,
  method text not null,
  state_hash bytea unique,
  nonce text,
  sealed_verifier text,
  -- The browser that began it, by the hash of its cookie: another one must not finish it.
  browser_hash bytea,
  code_hash bytea unique,
  code_challenge text,
  redirect_to text not null,
  account_id uuid references account on delete cascade,
  is_first boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index flow_state_account on flow_state (account_id);

-- What is sent by mail and works once: the token of a link and a code to type, both by hash. One of a kind and account.
create table one_time_token (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('confirm', 'recovery', 'email_change', 'reauthentication', 'invite')),
  token_hash bytea not null unique,
  code_hash bytea not null,
  -- Where it was sent.
  email text not null,
  code_challenge text,
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, kind)
);

-- Tenants: from here on every key starts with workspace_id, and row-level security holds for every table.

alter table connection
  -- How the provider names the account behind it: its events are told apart by that.
  add column account text,
  -- True once the sign-in has ended at the provider: shown as not connected until its owner signs in again.
  add column signed_out boolean not null default false,
  -- What is known to be missing, in words.
  add column incomplete text,
  -- Rises with every page that is stored: of two readers that began at the same step, one stops.
  add column sync_step integer not null default 0,
  add column sync_moved_at timestamptz,
  -- The provider asked for a pause until then.
  add column waiting_until timestamptz;

create index connection_account on connection (connector, account) where disconnected_at is null;

-- A workspace's own app at a provider: the fields of its form, sealed; null after a restore without secrets.
create table provider_app (
  workspace_id uuid not null references workspace on delete cascade,
  connector text not null,
  sealed text,
  primary key (workspace_id, connector)
);

-- Sign-ins at a provider that were begun: each is finished once, by who began it.
create table oauth_state (
  workspace_id uuid not null references workspace on delete cascade,
  state_hash bytea not null,
  account_id uuid not null references account on delete cascade,
  connector text not null,
  expires_at timestamptz not null,
  primary key (workspace_id, state_hash)
);

-- What providers told, each event once. `kept` is null once it was followed; then `touched` are the external ids it changed,
-- so that a page which was asked for before does not bring back what the event changed.
create table provider_event (
  workspace_id uuid not null,
  connection_id uuid not null,
  event_id text not null,
  kept jsonb,
  received_at timestamptz not null default clock_timestamp(),
  followed_at timestamptz,
  touched text[] not null default '{}',
  primary key (workspace_id, connection_id, event_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index provider_event_received on provider_event (workspace_id, received_at);

-- When an insight was made was not kept: the first decision that is known of it comes next. Row-level security holds for the
-- tables' owner too, who would see no row here.
alter table insight add column created_at timestamptz not null default now();
alter table insight no force row level security;
alter table statement no force row level security;
update insight set created_at = least(last_updated, (
  select min(decided_at) from statement
  where statement.workspace_id = insight.workspace_id and statement.issue_number = insight.issue_number));
alter table insight force row level security;
alter table statement force row level security;

-- The value of a tag on an insight, by who set it: the engine and a person each have a row of their own. Where a person has
-- said something it counts, also that there is no value (null); the engine never writes that row.
create table insight_tag (
  workspace_id uuid not null,
  issue_number integer not null,
  tag text not null,
  set_by text not null check (set_by in ('engine', 'person')),
  kind text not null check (kind in ('category', 'calculated', 'number', 'other')),
  value jsonb,
  colour text,
  set_at timestamptz not null default now(),
  primary key (workspace_id, issue_number, tag, set_by),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);

-- What became of an insight, as it happened: see the trigger. How it grew is in its statements.
create table insight_event (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  issue_number integer not null,
  at timestamptz not null default now(),
  event text not null check (event in ('renamed', 'status', 'merged', 'absorbed', 'ended', 'deleted', 'restored', 'tagged')),
  detail jsonb not null default '{}',
  primary key (workspace_id, id),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create index insight_event_newest on insight_event (workspace_id, issue_number, at desc);

create function note_insight_change() returns trigger language plpgsql as $$
begin
  if new.name <> old.name then
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (new.workspace_id, new.issue_number, new.last_updated, 'renamed', jsonb_build_object('from', old.name, 'to', new.name));
  end if;
  if new.status <> old.status then
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (new.workspace_id, new.issue_number, 'status', jsonb_build_object('from', old.status, 'to', new.status));
  end if;
  if old.ended_at is null and new.ended_at is not null then
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (new.workspace_id, new.issue_number, new.ended_at, case when new.merged_into is null then 'ended' else 'merged' end,
      jsonb_strip_nulls(jsonb_build_object('into', new.merged_into)));
    if new.merged_into is not null then
      insert into insight_event (workspace_id, issue_number, at, event, detail)
      values (new.workspace_id, new.merged_into, new.ended_at, 'absorbed',
        jsonb_build_object('from', new.issue_number, 'name', new.name));
    end if;
  end if;
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    insert into insight_event (workspace_id, issue_number, event)
    values (new.workspace_id, new.issue_number, case when new.deleted_at is null then 'restored' else 'deleted' end);
  end if;
  return null;
end $$;
create trigger changed_insight after update on insight for each row
  when (new.name <> old.name or new.status <> old.status or old.ended_at is distinct from new.ended_at
    or old.deleted_at is distinct from new.deleted_at)
  execute function note_insight_change();

-- What an administrator has chosen to compare; kept between calls, for this person only.
create table comparison_selection (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  dir_name text not null,
  generator_filter jsonb,
  source_ids jsonb,
  primary key (workspace_id, account_id)
);
create index comparison_selection_account on comparison_selection (account_id);

-- The audit log: who did what, to what, when and from where. It outlives accounts, so it names and does not refer; it goes
-- with its workspace. What belongs to no workspace, such as a sign-in of somebody unknown, only an operator sees.
create table audit_event (
  workspace_id uuid references workspace on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null,
  action text not null,
  -- The e-mail address of who did it, as it was then, or 'operator'.
  actor text not null default '',
  actor_id uuid,
  -- Whose account it is about.
  account_id uuid,
  target text,
  address text,
  user_agent text,
  detail jsonb not null default '{}',
  primary key (id)
);
create index audit_event_workspace on audit_event (workspace_id, id desc);
create index audit_event_at on audit_event (at);

-- What the app may do. It owns nothing and bypasses nothing.

grant select, insert, update, delete on identity, session, refresh_token, token_notice, signing_key, factor, challenge,
  recovery_code, flow_state, one_time_token, provider_app, oauth_state, provider_event, insight_tag, insight_event,
  comparison_selection to groundswell_app;
-- What was written down stays as it is; forget_audit_events() below is the one way out.
grant select, insert on audit_event to groundswell_app;
grant usage on sequence audit_event_id_seq to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['provider_app', 'oauth_state', 'provider_event', 'insight_tag', 'insight_event', 'comparison_selection'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;

-- Anybody's deed may be written down in whatever transaction does it; it is read by its own workspace only.
alter table audit_event enable row level security;
alter table audit_event force row level security;
create policy written on audit_event for insert with check (true);
create policy tenant on audit_event for select using (
  workspace_id is not distinct from nullif(current_setting('groundswell.workspace', true), '')::uuid);

-- What functions below read for the app, as the tables' owner, whom row-level security holds too.
do $$
begin
  execute format('create policy owner_lists on provider_app for select to %I using (true)', current_user);
  execute format('create policy owner_lists on connection for select to %I using (true)', current_user);
  execute format('create policy owner_lists on member for select to %I using (true)', current_user);
  execute format('create policy owner_forgets on audit_event to %I using (true)', current_user);
end $$;

-- A provider's request names no workspace: the apps it may be signed by (sealed), and the connections it may be about.
create function provider_apps(of_connector text) returns table (workspace_id uuid, sealed text)
  language sql stable security definer set search_path = public
  as $$ select app.workspace_id, app.sealed from provider_app app where app.connector = of_connector and app.sealed is not null $$;
revoke all on function provider_apps(text) from public;
grant execute on function provider_apps(text) to groundswell_app;

create function provider_connections(of_connector text, of_account text)
  returns table (workspace_id uuid, id uuid, own_app boolean)
  language sql stable security definer set search_path = public
  as $$
    select c.workspace_id, c.id, exists (
      select from provider_app app where app.workspace_id = c.workspace_id and app.connector = c.connector)
    from connection c
    where c.connector = of_connector and c.account = of_account and c.disconnected_at is null and not c.signed_out
  $$;
revoke all on function provider_connections(text, text) from public;
grant execute on function provider_connections(text, text) to groundswell_app;

-- The one way out of the audit log: by age.
create function forget_audit_events(older_than timestamptz) returns integer
  language plpgsql security definer set search_path = public
  as $$
    declare gone integer;
    begin
      delete from audit_event where at < older_than;
      get diagnostics gone = row_count;
      return gone;
    end
  $$;
revoke all on function forget_audit_events(timestamptz) from public;
grant execute on function forget_audit_events(timestamptz) to groundswell_app;

-- The workspace that an account was in first, in which its sign-ins are written down: known before anyone has signed in.
create function home_workspace(of_account uuid) returns uuid
  language sql stable security definer set search_path = public
  as $$ select workspace_id from member where account_id = of_account order by created_at, workspace_id limit 1 $$;
revoke all on function home_workspace(uuid) from public;
grant execute on function home_workspace(uuid) to groundswell_app;
