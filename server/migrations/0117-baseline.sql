-- The database of version 0.1.0. A new database starts here; one that the migrations of before made has the same tables and takes over this file as
-- applied (baseline.json, docs/decisions/0115-one-baseline.md). Functions and triggers are in functions/.

-- Accounts and workspaces

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  name text not null,
  password_hash text,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  email_confirmed_at timestamptz,
  -- Asked for, and not confirmed yet.
  new_email text,
  user_metadata jsonb not null default '{}',
  banned_until timestamptz,
  last_sign_in_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change_sent_at timestamptz,
  updated_at timestamptz not null default now(),
  -- When the owner of the mailbox proved the address (by a link or an identity provider) or the operator vouched for it. Null
  -- also where AUTH_AUTOCONFIRM counts an address as confirmed unseen: whoever typed it may not be its owner.
  email_proven_at timestamptz,
  -- True once somebody signed up with this address again before it was proven.
  contested boolean not null default false,
  -- What an operator's program keeps about an account (app_metadata of Supabase Auth), without the providers.
  app_metadata jsonb not null default '{}',
  invited_at timestamptz,
  -- Null: an account of our own server.
  issuer text
);
create unique index account_email on account (email) where issuer is null;
create index account_issuer_email on account (issuer, email) where issuer is not null;

create table workspace (
  workspace_id uuid primary key default gen_random_uuid(),
  name text not null,
  settings jsonb not null default '{"method": "auto", "categories": [], "min_inputs": 3}',
  -- Rises with every change that a list of insights shows: the ETag of polls.
  revision bigint not null default 1,
  next_issue_number integer not null default 1,
  created_at timestamptz not null default now(),
  -- Whose days reports count by. Null: nobody has chosen one yet, and it is UTC; the first owner's browser chooses.
  time_zone text
);

create table member (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  -- False for the person for whom the workspace was created.
  invited boolean not null default false,
  -- When the person last chose to work there: the next sign-in begins in the latest.
  entered_at timestamptz,
  -- Whether the person gets mails about what is assigned to them and where they are mentioned.
  mails_about_me boolean not null default true,
  primary key (workspace_id, account_id)
);
create index member_account on member (account_id);

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
  ended_at timestamptz,
  -- Made by the single sign-on of its workspace: it acts nowhere else.
  by_sso boolean not null default false
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
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
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
  expires_at timestamptz not null,
  -- The identity provider's own tokens, sealed, for the client that exchanges the code.
  sealed_provider_tokens text,
  sso_workspace_id uuid,
  sso_purpose text check (sso_purpose in ('sign-in', 'link', 'test'))
);
create index flow_state_account on flow_state (account_id);

-- What is sent by mail and works once: the token of a link and a code to type, both by hash. One of a kind and account.
create table one_time_token (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('confirm', 'recovery', 'email_change', 'reauthentication', 'invite')),
  token_hash bytea primary key,
  code_hash bytea not null,
  -- Where it was sent.
  email text not null,
  code_challenge text,
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A sign-up that takes effect when this link is opened: {"name", "passwordHash", "userMetadata"}. Null: the account's own.
  sign_up jsonb
);
create index one_time_token_account on one_time_token (account_id, kind);
create index one_time_token_email on one_time_token (email);

-- Where a sign-in was used: the networks (an IPv4 address, a /64 of IPv6) and devices in words. The first one is where it began.
create table session_place (
  session_id uuid not null references session on delete cascade,
  network text not null,
  device text not null,
  new_address boolean not null default false,
  new_device boolean not null default false,
  -- The owner was told of it by mail.
  told boolean not null default false,
  first_used_at timestamptz not null,
  primary key (session_id, network, device)
);

create table first_admin (
  at timestamptz not null default now()
);

-- Attempts that limits count (wrong passwords, requested mails and so on), over all processes: docs/decisions/0051-limits-in-the-database.md.
-- Not logged: after a crash or a failover the counts begin again, which is worth less than a write to disk for each attempt.
create unlogged table attempt_count (
  limit_name text not null,
  -- A digest: what people typed is not stored.
  key text not null,
  -- The number of the window that `current` counts; `previous` counts the one before.
  window_number bigint not null,
  current integer not null,
  previous integer not null,
  expires_at timestamptz not null,
  primary key (limit_name, key)
);
create index attempt_count_expires_at on attempt_count (expires_at);

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
  -- The account that signed up with an invitation where sign-up is closed: only that one can accept it then. Null: none.
  signed_up_by uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, invited_by) references member on delete cascade
);
create unique index invitation_token_hash on invitation (token_hash);
create index invitation_invited_by on invitation (invited_by);

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
  -- A link may be to a view instead. Not a reference: a link to a view that is gone says so.
  view_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create unique index shared_link_token_hash on shared_link (token_hash);
create index shared_link_account on shared_link (account_id);

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
  required boolean not null default false,
  -- When the issuer, the app or its secret was last changed: a sign-in that was started before is not finished.
  changed_at timestamptz not null,
  -- When a sign-in last succeeded since; null: none did.
  tested_at timestamptz,
  constraint sso_provider_check check (enabled or not required)
);

-- Audit

-- The audit log: who did what, to what, when and from where. It outlives accounts, so it names and does not refer; it goes
-- with its workspace. What belongs to no workspace, such as a sign-in of somebody unknown, only an operator sees.
create table audit_event (
  workspace_id uuid references workspace on delete cascade,
  id bigint generated always as identity primary key,
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
  detail jsonb not null default '{}'
);
create index audit_event_workspace on audit_event (workspace_id, id desc);
create index audit_event_at on audit_event (at);

-- How long the audit log is kept, in days. Only the tables' owner changes it (AUDIT_DAYS, at each start).
create table audit_retention (
  days integer not null check (days > 0),
  only_one boolean default true primary key check (only_one)
);

-- Connections

create table connection (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  connector text not null,
  paused boolean not null default false,
  push_automatically boolean not null default true,
  settings jsonb not null default '{}',
  sealed_secrets text,
  error text,
  created_at timestamptz not null default now(),
  disconnected_at timestamptz,
  -- How the provider names the account behind it: its events are told apart by that.
  account text,
  -- True once the sign-in has ended at the provider: shown as not connected until its owner signs in again.
  signed_out boolean not null default false,
  -- A workspace may have several file sources, told apart by name. All other connectors have one live connection, without a name.
  name text not null default '',
  -- What came of the last test of a connection: {"at", "ok", "status", "message"}.
  last_test jsonb,
  expires_at timestamptz,
  renew_at timestamptz,
  refresh_lease uuid,
  refresh_lease_until timestamptz,
  -- True: an item that was closed is reopened when its insight is mentioned again; else it gets a comment.
  reopen_items boolean not null default false,
  -- False until the required choices are made. It never becomes false again while the connection is live.
  ready boolean not null default true,
  -- The chosen values with their labels, in the order of the choices: [{field, label, values: [{value, label}]}].
  chosen jsonb not null default '[]',
  primary key (workspace_id, id)
);
create index connection_account on connection (connector, account) where disconnected_at is null;
-- One live connection a connector and workspace; disconnected ones stay for their feedback and deliveries.
create unique index connection_live on connection (workspace_id, connector, name) where disconnected_at is null;

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
  -- What the exchange of the code needs besides the state: the PKCE verifier and what was entered before signing in, sealed.
  sealed text,
  primary key (workspace_id, state_hash)
);

create table event_subscription (
  workspace_id uuid not null,
  connection_id uuid not null,
  -- SHA-256 of the key in the address that the provider sends this connection's events to.
  key_hash bytea not null,
  -- The key, the secret offered to the provider, and the subscription's own secrets.
  sealed text,
  -- The connector's own; null until it was created at the provider.
  state jsonb,
  expires_at timestamptz,
  -- When it is checked, renewed or tried again.
  due_at timestamptz not null,
  -- Why there is none, as text for the tile.
  note text,
  primary key (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create unique index event_subscription_key on event_subscription (key_hash);
create index event_subscription_due on event_subscription (due_at);

-- Until when a provider asked not to be sent requests, so that every process waits (docs/decisions/0036-shared-pauses.md).
create table request_pause (
  workspace_id uuid not null,
  connection_id uuid not null,
  -- What the pause is about: '' for everything, else a name of the connector's own, such as a method.
  scope text not null,
  until timestamptz not null,
  primary key (workspace_id, connection_id, scope),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- Syncs

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
create index provider_event_unfollowed on provider_event (received_at) where kept is not null;
create index provider_event_at on provider_event (received_at);

create table sync_state (
  workspace_id uuid not null,
  connection_id uuid not null,
  -- stopped: the connection was disconnected, or its sign-in ended. The next sign-in begins a sync; until then none is due.
  status text not null check (status in ('syncing', 'idle', 'stopped')),
  -- Where the next page begins; null: at the beginning.
  cursor jsonb,
  -- Rises with every page that is stored: of two readers that began at the same step, one stops.
  step integer not null default 0,
  -- Of the current sync, else of the last one.
  read_count integer not null default 0,
  total_count integer,
  -- What is known to be missing, as text.
  incomplete text,
  moved_at timestamptz not null,
  -- The provider asked for a pause until then.
  waiting_until timestamptz,
  -- When a sync last read everything.
  last_sync_at timestamptz,
  -- The stored items that the last page of a sync lacked, if they were too many to remove at once: that page was not stored.
  doubted text[] not null default '{}',
  set_aside jsonb,
  message_count integer,
  attachment_only text[] not null default '{}',
  primary key (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
-- A sync that was stopped is in neither index.
create index sync_state_running on sync_state (GREATEST(moved_at, waiting_until)) where status = 'syncing';
create index sync_state_idle on sync_state (GREATEST(moved_at, waiting_until)) where status = 'idle';

-- Events may arrive out of order. This is the newest stored state of each item that was recently edited or deleted at its provider: an
-- older one is not applied after it. `deleted` is final. Rows so old that no provider still sends events about them are removed.
create table item_version (
  workspace_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  -- When it was edited: microseconds since 1970, by the provider's clock. 0: never.
  version bigint not null default 0,
  deleted boolean not null default false,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, connection_id, external_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index item_version_stored on item_version (workspace_id, stored_at);

-- Feedback

create table feedback_item (
  workspace_id uuid not null,
  id bigint generated always as identity,
  connection_id uuid not null,
  external_id text not null,
  text text not null,
  author text,
  link text,
  thread text,
  place text,
  said_at timestamptz not null,
  stored_at timestamptz not null default now(),
  -- Null until grouped; then the order in which items entered the groups of this workspace.
  grouped_seq bigint,
  -- What the provider knows about an item besides its text, such as a ticket's subject, and the names of its attached files.
  attributes jsonb not null default '{}',
  attachments jsonb not null default '[]',
  -- False: the source gave no date that could be read, and `said_at` is when the item was imported or arrived.
  date_known boolean not null default true,
  -- True: the source gave a day without a time. `said_at` is then midnight UTC of that day, which is a day and no moment.
  date_only boolean not null default false,
  -- What a message was written in, where its text is not that: the HTML of a file or of a call (docs/decisions/0101-several-files-and-originals.md).
  -- In the row of the message, so that it goes with it. Null: the text is the original, or the source has it.
  original text,
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create unique index feedback_item_external on feedback_item (workspace_id, connection_id, external_id);
create index feedback_item_ungrouped on feedback_item (workspace_id, id) where grouped_seq is null;
create index feedback_item_grouped on feedback_item (workspace_id, grouped_seq) where grouped_seq is not null;
-- Syncs look up the first items of threads by time, and the other items of a thread by its id.
create index feedback_item_roots on feedback_item (workspace_id, connection_id, said_at) where thread = external_id;
create index feedback_item_replies on feedback_item (workspace_id, connection_id, thread) where thread <> external_id;
create index feedback_item_thread on feedback_item (workspace_id, connection_id, thread) where thread is not null;
-- Not beginning with workspace_id: before there are statistics, checks of foreign keys to feedback_item would choose it instead of the primary key.
create index feedback_item_said on feedback_item (connection_id, said_at);
-- Rows are stored in the order of their arrival. Not a b-tree of (workspace_id, stored_at): before there are statistics, checks of foreign
-- keys to feedback_item choose that instead of the primary key, and an import takes minutes.
create index feedback_item_arrived on feedback_item using brin (stored_at) WITH (autosummarize='on');

create table import (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  connection_id uuid,
  name text not null,
  options jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'asking', 'done', 'failed')),
  added integer not null default 0,
  known integer not null default 0,
  bad integer not null default 0,
  bytes bigint not null default 0,
  bytes_read bigint not null default 0,
  line integer not null default 0,
  problems jsonb not null default '[]',
  error text,
  -- Items of this import have ids from here to there.
  first_item bigint,
  last_item bigint,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  file_hash text,
  head_hash text,
  on_conflict text not null default 'ask' check (on_conflict in ('ask', 'replace', 'keep')),
  asks jsonb,
  replaced integer not null default 0,
  repeated integer not null default 0,
  repeats jsonb not null default '[]',
  began_at timestamptz,
  -- How the own side is told in this file, `{by, authors}`: by a column (`role`) or by how authors write (`author`). Null: not decided yet.
  own_side jsonb,
  -- Authors of the rows that became context, at most 200.
  own_people jsonb not null default '[]',
  context integer not null default 0,
  -- Of these, rows that belong to no conversation: they are not stored.
  context_left_out integer not null default 0,
  -- Rows of the file read so far whose date is not known.
  undated integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index import_of_file on import (workspace_id, connection_id, file_hash);
create index import_open on import (workspace_id) where (state = any (array['waiting', 'running', 'asking'])) or (not ((options ->> 'uploaded'))::boolean);

-- The file of an import, in pieces, until it has been read: any worker on any machine can go on with it.
create table import_chunk (
  workspace_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (workspace_id, import_id, number),
  foreign key (workspace_id, import_id) references import on delete cascade
);

-- Which item each row of an import is, by the line where it begins. `added`: this import brought the item.
create table import_row (
  workspace_id uuid not null,
  import_id uuid not null,
  line integer not null,
  item_id bigint not null,
  added boolean not null,
  primary key (workspace_id, import_id, line),
  foreign key (workspace_id, import_id) references import on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index import_row_of_item on import_row (workspace_id, item_id);

-- An item as it was before an import replaced its text.
create table replaced_text (
  workspace_id uuid not null,
  import_id uuid not null,
  item_id bigint not null,
  replaced_at timestamptz not null default clock_timestamp(),
  external_id text not null,
  text text not null,
  author text,
  link text,
  thread text,
  place text,
  said_at timestamptz not null,
  -- Null: not known, of what an earlier version replaced.
  attributes jsonb,
  date_known boolean not null default true,
  date_only boolean not null default false,
  original text,
  primary key (workspace_id, import_id, item_id),
  foreign key (workspace_id, import_id) references import on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index replaced_text_of_item on replaced_text (workspace_id, item_id, replaced_at);

create table context_message (
  workspace_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  thread text not null,
  text text not null,
  author text,
  link text,
  -- Names of attached files.
  attachments jsonb not null default '[]',
  said_at timestamptz not null,
  -- The last import that had it; null: from a connector.
  import_id uuid,
  date_only boolean not null default false,
  primary key (workspace_id, connection_id, external_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index context_message_thread on context_message (workspace_id, connection_id, thread);

-- How long a workspace keeps feedback, by the date of a message: of one source, or (connection_id null) of all that say nothing else.
create table feedback_retention (
  workspace_id uuid not null references workspace on delete cascade,
  connection_id uuid,
  days integer not null check (days >= 1 and days <= 36500),
  constraint feedback_retention_workspace_id_connection_id_key unique nulls not distinct (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- Messages of people who asked to be forgotten. They are not stored again when their source is read again. Only a digest of their id is kept.
create table erased_message (
  workspace_id uuid not null,
  connection_id uuid not null,
  id_digest bytea not null,
  erased_at timestamptz not null,
  primary key (workspace_id, connection_id, id_digest),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- Messages are searched here, not in feedback_item: an index of that table would be built under a lock that stops imports, and row-level
-- security keeps the app from using an index by words, since the operator is not leakproof. Triggers keep it as feedback_item is: a foreign key would
-- be checked for each message of an import.
create table feedback_search (
  workspace_id uuid not null,
  item_id bigint not null,
  connection_id uuid not null,
  said_at timestamptz not null,
  words tsvector not null,
  primary key (workspace_id, item_id)
);
create index feedback_search_newest on feedback_search (workspace_id, said_at desc, item_id desc);
-- A search also reads what is pending in the index.
create index feedback_search_words on feedback_search using gin (words) WITH (gin_pending_list_limit='1024');

-- Workspaces whose messages are not all in feedback_search, and how far they are.
create table search_fill (
  workspace_id uuid primary key references workspace on delete cascade,
  after_id bigint not null default 0
);

-- Workspaces in which words may still be stored as before other scripts were searched, and how far their renewal is.
create table search_renewal (
  workspace_id uuid primary key references workspace on delete cascade,
  after_id bigint not null default 0
);

-- Customers

-- The organisations behind people (docs/decisions/0069-customers.md).
create table customer (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- A domain, such as acme.com, or `name:` and a name in lower case.
  key text not null,
  name text not null,
  -- The name for comparison with what sources write.
  name_key text not null,
  -- A person listed it; otherwise it exists because of messages.
  listed boolean not null default false,
  plan text,
  revenue double precision check ((revenue >= (0)::double precision) and (revenue <= ('1000000000000000'::numeric)::double precision)),
  region text,
  -- Other columns of the list.
  attributes jsonb not null default '{}' check (length((attributes)::text) <= 8000),
  -- Which of plan, revenue and region are from the list: messages do not replace them.
  listed_fields text[] not null default '{}',
  -- The date of the message that the others are from.
  told_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index customer_key on customer (workspace_id, key);
create index customer_listed_name on customer (workspace_id, name_key) where listed;

-- The customer behind a message; no row: it is not known. Beside feedback_item, which would be rewritten for it. Without foreign keys, which would
-- be checked for every message; triggers keep it as feedback_item is.
create table feedback_customer (
  workspace_id uuid not null,
  item_id bigint not null,
  customer_id uuid not null,
  primary key (workspace_id, item_id)
);
create index feedback_customer_of on feedback_customer (workspace_id, customer_id, item_id);

-- Messages whose author or attributes changed since they were grouped.
create table customer_due (
  workspace_id uuid not null,
  item_id bigint not null,
  primary key (workspace_id, item_id)
);

-- Workspaces whose grouped messages are all to be looked at, and how far that is.
create table customer_fill (
  workspace_id uuid primary key references workspace on delete cascade,
  after_id bigint not null default 0
);

-- Insights

create table insight (
  workspace_id uuid not null references workspace on delete cascade,
  issue_number integer not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  summary text not null,
  status text not null default 'created' check (status in ('created', 'pushed', 'resolved', 'regressed', 'ignored')),
  mention_count integer not null default 0,
  people_count integer not null default 0,
  -- Every mention that ever joined; it never falls, so that deliveries know what is new since they went out.
  heard integer not null default 0,
  -- The connectors its mentions came from.
  sources text[] not null default '{}',
  first_seen timestamptz,
  last_seen timestamptz,
  last_updated timestamptz not null default now(),
  -- Set while the insight is below two mentions: it is kept, but not shown.
  hidden boolean not null default false,
  -- Set when a person deleted it, or when a merge ended it.
  deleted_at timestamptz,
  ended_at timestamptz,
  merged_into integer,
  described_hash text,
  -- What the group index knows of deleted_at; the next grouping brings both together.
  removed_in_engine boolean not null default false,
  -- The workspace's revision when a list last had to show it again.
  revision bigint not null default 0,
  -- When an insight was made was not kept: the first decision that is known of it comes next. Row-level security holds for the
  -- tables' owner too, who would see no row here.
  created_at timestamptz not null default now(),
  -- A person gave the name: descriptions of the engine leave it.
  name_by_person boolean not null default false,
  engine_name text,
  locked boolean not null default false,
  -- Mentions whose messages were deleted; it never falls, like `heard`. A delivery carries both as of its payload.
  lost integer not null default 0,
  -- What had been heard of an insight when it became resolved: more than that makes it regress.
  resolved_heard integer,
  -- The kind of most mentions, and how many are praise or small talk: an insight of which more than half is so is not pushed automatically.
  main_kind text,
  chatter_count integer not null default 0,
  -- When a person last changed an insight. `last_updated` is the later of this and the newest arrival of a mention.
  person_changed_at timestamptz,
  -- What the team does about an insight, beside its status (docs/decisions/0065-team-status.md).
  team_status text check (team_status in ('planned', 'in_progress', 'shipped', 'wont_do')),
  team_status_by text,
  team_status_at timestamptz,
  customer_count integer not null default 0,
  revenue double precision,
  assigned_to uuid,
  -- Whether most mentions say what the engine's name says. Null: described before this was stored (docs/decisions/0080-names-that-are-guesses.md).
  name_confident boolean,
  -- How many different texts the mentions of an insight are, and how many known authors they have (docs/decisions/0092-copies.md). Null: not counted
  -- yet. `texts_of`: of how many mentions that was counted.
  text_count integer,
  author_count integer,
  texts_of integer,
  -- The same of the first and of the last mention.
  first_date_only boolean not null default false,
  last_date_only boolean not null default false,
  -- When a person first opened the insight; null: nobody did, or before this was noted.
  opened_at timestamptz,
  primary key (workspace_id, issue_number),
  constraint insight_assigned_to foreign key (workspace_id, assigned_to) references member
);
create index insight_revision on insight (workspace_id, revision);
create unique index insight_id on insight (workspace_id, id);
-- Only rows that call for work are in these, so that a look at them does not grow with what is done.
create index insight_marked on insight (workspace_id) where removed_in_engine <> (deleted_at is not null);
create index insight_assigned on insight (workspace_id, assigned_to) where assigned_to is not null;
create index insight_merged on insight (workspace_id, merged_into) where merged_into is not null;

-- One span of one feedback item: what the engine compares. issue_number is null while it waits or is noise.
create table statement (
  workspace_id uuid not null,
  item_id bigint not null,
  number smallint not null,
  start_offset integer not null,
  end_offset integer not null,
  kind text not null check (kind in ('joined', 'pending', 'noise')),
  issue_number integer,
  score real not null,
  reason text not null,
  candidates jsonb,
  decided_by text not null default 'engine',
  decided_at timestamptz not null default now(),
  said_at timestamptz not null,
  -- The version of the engine that decided; null: before versions were kept.
  engine_version text,
  emerging_number integer,
  -- `feedback_kind`: null in an unknown language, and in rows from before there were kinds, whose `kind_by` is null too. `subjectless`: it was
  -- surely praise or small talk, so it is grouped with nothing.
  feedback_kind text,
  kind_by text,
  subjectless boolean not null default false,
  -- The point that was read in a mention, and the kind that the reading gave it.
  point text,
  read_kind text,
  -- As that of its message, like `said_at`.
  date_only boolean not null default false,
  primary key (workspace_id, item_id, number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  foreign key (workspace_id, issue_number) references insight
);
create index statement_of_insight on statement (workspace_id, issue_number, said_at desc, item_id desc, number desc) where issue_number is not null;
-- What is in no insight can be looked through, and a person can make an insight of it or add it to one.
create index statement_ungrouped on statement (workspace_id, said_at desc, item_id desc, number desc) where issue_number is null;
create index statement_of_emerging on statement (workspace_id, emerging_number, said_at desc, item_id desc, number desc) where emerging_number is not null;
create index statement_ungrouped_kind on statement (workspace_id, feedback_kind, said_at desc, item_id desc, number desc) where issue_number is null and feedback_kind is not null;
-- The newest mention of an insight, by the order in which messages arrived.
create index statement_arrived on statement (workspace_id, issue_number, item_id) where issue_number is not null;

-- Items that their source deleted after they were grouped: the group index still has to forget their statements.
create table forgotten_item (
  workspace_id uuid not null,
  item_id bigint not null,
  numbers smallint[] not null,
  issue_numbers integer[] not null,
  emerging_numbers integer[] not null default '{}',
  -- When the deleted message had arrived. Null: it was deleted by a process of an earlier version.
  stored_at timestamptz,
  primary key (workspace_id, item_id)
);

-- The group index of a workspace, as of item `grouped_seq`; later items are replayed from their stored decisions. `head`
-- rises with every change of the groups: of two writers that began at the same head, one starts again.
create table engine_state (
  workspace_id uuid primary key references workspace on delete cascade,
  head bigint not null default 0,
  grouped_seq bigint not null default 0,
  state bytea,
  stored_at timestamptz not null default now(),
  -- The highest number of an emerging insight so far: none is used again.
  last_emerging integer not null default 0,
  -- `taught`: grows with every correction of a kind. `kinds_after`: a step decides the kinds of the statements of messages after this one that
  -- have none; null when all have.
  taught integer not null default 0,
  -- Of the existing rows only: row-level security hides them from an update.
  kinds_after bigint,
  -- The highest id of a theme so far: none is used again.
  last_theme integer not null default 0
);
alter table engine_state alter column state set storage external;
create index engine_state_kinds on engine_state (workspace_id) where kinds_after is not null;

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
  event text not null,
  detail jsonb not null default '{}',
  primary key (workspace_id, id),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create index insight_event_newest on insight_event (workspace_id, issue_number, at desc);

-- One correction: what was asked, what it found and left, for the history and for undo. It outlives accounts, so it names
-- the person and does not refer to one.
create table correction (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  issue_number integer,
  kind text not null,
  request jsonb not null,
  -- waiting: the next grouping carries it out.
  state text not null default 'waiting' check (state in ('waiting', 'applied', 'refused', 'undone')),
  -- Applied, and the next grouping takes it back.
  undoing boolean not null default false,
  problem text,
  person text not null,
  undone_by text,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was last asked for something, its undoing too: groupings go in that order.
  asked_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  -- The insight it merged into, moved to or split off.
  other_number integer,
  mention_count integer not null default 0,
  -- Numbers of the insights it is about.
  touched integer[] not null,
  changes jsonb not null default '[]',
  -- Rows of `insight` before and after.
  found jsonb not null default '[]',
  made jsonb not null default '[]',
  -- A mention is not of this insight and stays where it is. `suggestion_score`: what was suggested, if it answers that.
  suggestion_score real,
  primary key (workspace_id, id),
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  constraint correction_insight_check check (issue_number is not null or kind = 'create')
);
create index correction_open on correction (workspace_id, asked_at) where state = 'waiting' or undoing;
create index correction_newest on correction (workspace_id, created_at desc);
create index correction_answers on correction (workspace_id, created_at desc) where suggestion_score is not null;

-- What was said of one statement, by its place in its message: it survives edits and a new reading, which make new rows in
-- `statement`. pin: the insight it belongs to, 0 for none, null when nobody said. bans: insights it is not.
create table statement_rule (
  workspace_id uuid not null,
  item_id bigint not null,
  number smallint not null,
  pin integer,
  bans integer[] not null default '{}',
  correction_id uuid not null,
  primary key (workspace_id, item_id, number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  foreign key (workspace_id, correction_id) references correction on delete cascade
);
create index statement_rule_of_correction on statement_rule (workspace_id, correction_id);

-- What a correction found at each statement that it spoke of.
create table correction_statement (
  workspace_id uuid not null,
  correction_id uuid not null,
  item_id bigint not null,
  number smallint not null,
  issue_number integer,
  kind text not null,
  score real not null,
  reason text not null,
  candidates jsonb,
  decided_by text not null,
  decided_at timestamptz not null,
  engine_version text,
  pin integer,
  bans integer[],
  -- The correction that had spoken of it before.
  rule_of uuid,
  emerging_number integer,
  primary key (workspace_id, correction_id, item_id, number),
  foreign key (workspace_id, correction_id) references correction on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index correction_statement_of_item on correction_statement (workspace_id, item_id);

-- What the engine has read of an insight to set its tags: as of which revision, by which tags (a hash of their names and
-- descriptions), and when it last counted. An insight whose row is missing or behind waits to be tagged.
create table tag_check (
  workspace_id uuid not null,
  issue_number integer not null,
  revision bigint not null,
  tags text not null,
  counted_at timestamptz not null,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);

-- What the model made of an insight. It is shown while `described_hash` is the hash of the engine's description, that is
-- while the group is what the model was told of.
create table model_description (
  workspace_id uuid not null,
  issue_number integer not null,
  described_hash text not null,
  -- How many mentions there were then: when there are many more, the model is asked again.
  mention_count integer not null,
  -- Null: no answer was good enough, or none came. The engine's stay.
  name text,
  summary text,
  -- Why there is no name, in a word.
  refused text,
  model text not null,
  prompt_version text not null,
  tokens bigint not null default 0,
  -- Calls that failed since the last answer, and until when it is left alone for that.
  failures integer not null default 0,
  retry_at timestamptz,
  made_at timestamptz not null,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  constraint model_description_check check ((name is null) = (summary is null))
);
create index model_description_retry on model_description (retry_at) where retry_at is not null;

-- One question of the first kind, asked once: an edited message has another hash.
create table model_join (
  workspace_id uuid not null,
  item_id bigint not null,
  -- Of the mention's own words.
  text_hash text not null,
  issue_number integer not null,
  prompt_version text not null,
  -- Its number in the message; null: the message was read again since.
  number smallint,
  score real not null,
  -- none: it was not shown to the model, or no answer was good enough.
  verdict text not null check (verdict in ('yes', 'no', 'none')),
  -- waiting: the next grouping carries it out. held: it was carried out, and holds until a person or a revision says otherwise.
  state text check (state in ('waiting', 'held')),
  model text not null,
  decided_at timestamptz not null,
  -- Mentions that found an emerging insight together: issue_number is 0 until the next grouping gives them one.
  founding uuid,
  primary key (workspace_id, item_id, text_hash, issue_number, prompt_version),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  constraint model_join_check check (state is null or (verdict = 'yes' and number is not null))
);
create index model_join_open on model_join (workspace_id) where state = 'waiting';

-- The pieces that a long message was taken apart into, as offsets in UTF-16 units: start, end, start, end … Null: it stays as the
-- engine cuts it.
create table model_split (
  workspace_id uuid not null,
  item_id bigint not null,
  -- Of the message.
  text_hash text not null,
  pieces integer[],
  -- waiting: the next grouping reads the message with it. applied: so it is read since.
  state text check (state in ('waiting', 'applied')),
  model text not null,
  prompt_version text not null,
  decided_at timestamptz not null,
  primary key (workspace_id, item_id, text_hash),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  constraint model_split_check check (state is null or pieces is not null)
);

-- Messages whose vectors the next step of grouping has to read. `times` grows when vectors are stored again before that.
create table late_vector (
  workspace_id uuid not null,
  item_id bigint not null,
  times integer not null default 1,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);

-- A group of mentions alike in meaning for which there is less evidence than for an insight. Its members are in no insight
-- (issue_number is null), so that whatever counts, lists or pushes insights knows nothing of it. Its row goes when it ends.
create table emerging_insight (
  workspace_id uuid not null references workspace on delete cascade,
  number integer not null,
  name text not null,
  summary text not null,
  described_hash text not null,
  mention_count integer not null default 0,
  people_count integer not null default 0,
  first_seen timestamptz,
  last_seen timestamptz,
  -- Fewer than two messages are left.
  hidden boolean not null default true,
  created_at timestamptz not null default now(),
  dismissed_at timestamptz,
  -- What the group index knows of dismissed_at; the next grouping brings both together.
  dismissed_in_engine boolean not null default false,
  primary key (workspace_id, number)
);
create index emerging_insight_marked on emerging_insight (workspace_id) where dismissed_in_engine <> (dismissed_at is not null);

-- A mention in no insight that may belong to this one, as the last revision saw it. `correction_id`: what a person answered.
create table member_suggestion (
  workspace_id uuid not null,
  issue_number integer not null,
  item_id bigint not null,
  number smallint not null,
  score real not null,
  correction_id uuid,
  primary key (workspace_id, issue_number, item_id, number),
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index member_suggestion_of_item on member_suggestion (workspace_id, item_id);

-- Insights that look like one subject.
create table merge_suggestion (
  workspace_id uuid not null references workspace on delete cascade,
  issue_numbers integer[] not null,
  score real not null,
  primary key (workspace_id, issue_numbers)
);

-- A person said that no two of these are the same.
create table declined_merge (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  issue_numbers integer[] not null,
  score real,
  person text not null,
  declined_at timestamptz not null,
  primary key (workspace_id, id)
);

-- A person's kind for one statement, found again by its words when other words of its message change. `kind`: null once it was taken back,
-- until grouping has read that. `engine_kind`: what it was before. It goes with its message, or with these words of it.
create table kind_correction (
  workspace_id uuid not null,
  item_id bigint not null,
  text_hash text not null,
  number smallint not null,
  text text not null,
  kind text check (kind in ('problem', 'request', 'question', 'praise', 'small talk')),
  engine_kind text,
  person text not null,
  corrected_at timestamptz not null,
  -- The next step of grouping has to read it.
  waiting boolean not null default true,
  primary key (workspace_id, item_id, text_hash),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index kind_correction_newest on kind_correction (workspace_id, corrected_at desc) where kind is not null;
create index kind_correction_waiting on kind_correction (workspace_id) where waiting;

-- Mentions by kind: of each insight, of those in none (0), and of those that carry no feedback (-1). Those of an insight that only agree with
-- what they reply to count as 'agrees', not as small talk. What changes the counts is noted in rows of its own, without waiting for anyone,
-- and added up by the next step of grouping.
create table kind_count (
  workspace_id uuid not null,
  issue_number integer not null,
  kind text not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, kind)
);

create table kind_change (
  workspace_id uuid not null,
  id bigint generated always as identity,
  issue_number integer not null,
  kind text not null,
  mentions integer not null,
  primary key (workspace_id, id)
);

create table theme (
  workspace_id uuid not null references workspace on delete cascade,
  id integer not null,
  -- As the engine names it; '' for one that a person made.
  name text not null,
  person_name text,
  by_person boolean not null default false,
  -- A person removed it: its insights stay in it, and it is not shown.
  removed_at timestamptz,
  primary key (workspace_id, id)
);

create table insight_theme (
  workspace_id uuid not null,
  issue_number integer not null,
  -- Where the engine puts it; null for in no theme.
  engine_theme integer,
  -- A person decided: person_theme counts, null for in no theme.
  by_person boolean not null default false,
  person_theme integer,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  foreign key (workspace_id, person_theme) references theme on delete cascade
);

-- One pair of a mention and a candidate, asked about once: an edited message has another hash. No text is stored.
create table model_answer (
  workspace_id uuid not null,
  -- The mention, and its number in the message; null: the message was read again since.
  item_id bigint not null,
  number smallint,
  text_hash text not null,
  -- The other: a mention, in the same way, or an insight, regular or emerging.
  other_item_id bigint,
  other_number smallint,
  other_hash text,
  issue_number integer,
  -- It was asked about the insight, with the mention as a candidate.
  asked_back boolean not null,
  score real not null,
  -- Null: it was not shown to the model, or no answer was good enough.
  yes boolean,
  -- The candidate was surely wrong.
  is_control boolean not null,
  model text not null,
  prompt_version text not null,
  answered_at timestamptz not null,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  foreign key (workspace_id, other_item_id) references feedback_item on delete cascade,
  constraint model_answer_check check ((other_item_id is null) <> (issue_number is null)),
  constraint model_answer_check1 check ((other_item_id is null) = (other_hash is null))
);
create unique index model_answer_once on model_answer (workspace_id, item_id, text_hash, other_item_id, other_hash, issue_number, asked_back, prompt_version) nulls not distinct;
create index model_answer_of_other on model_answer (workspace_id, other_item_id) where other_item_id is not null;

-- What changed since the counts were last brought up to date: triggers write it, whoever changes statements; the next count of the
-- insight adds it up and removes it. Never locked, so that nothing waits for a count. Null: this row says nothing about it.
create table mention_change (
  workspace_id uuid not null,
  issue_number integer not null,
  person bytea,
  connection_id uuid,
  day date,
  mentions integer not null
);
create index mention_change_of_insight on mention_change (workspace_id, issue_number);

-- As whom the mentions of a message are counted whose author has changed since.
create table counted_author (
  workspace_id uuid not null,
  item_id bigint not null,
  person bytea not null,
  primary key (workspace_id, item_id)
);

-- Mentions of an insight by person (a digest), by connection, and by UTC day. Zero: there are none any more.
create table insight_person (
  workspace_id uuid not null,
  issue_number integer not null,
  person bytea not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, person)
);

create table insight_source (
  workspace_id uuid not null,
  issue_number integer not null,
  connection_id uuid not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, connection_id)
);

create table insight_day (
  workspace_id uuid not null,
  issue_number integer not null,
  day date not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, day)
);

-- The totals of these. `checked_at`: when they were last compared with the mentions themselves.
create table insight_total (
  workspace_id uuid not null,
  issue_number integer not null,
  mentions integer not null,
  people integer not null,
  checked_at timestamptz not null default now(),
  primary key (workspace_id, issue_number)
);
create index insight_total_checked on insight_total (checked_at);

-- When somebody last looked at the insights of a workspace.
create table visit (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  -- The latest sign of the current visit.
  seen_at timestamptz not null,
  -- Messages that arrived until then were grouped, so that the person could see them.
  shown_until timestamptz not null,
  -- The same at the end of the visit before; null during the first.
  previous_until timestamptz,
  primary key (workspace_id, account_id)
);
create index visit_account on visit (account_id);

-- Mentions of an insight by customer.
create table insight_customer (
  workspace_id uuid not null,
  issue_number integer not null,
  customer_id uuid not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, customer_id)
);
create index insight_customer_of on insight_customer (workspace_id, customer_id);

-- What changed since these were last brought up to date, as in mention_change. No mentions: the customer's revenue changed. No insight: a
-- customer lost a message, and may have none left.
create table customer_change (
  workspace_id uuid not null,
  issue_number integer,
  customer_id uuid not null,
  mentions integer not null
);
create index customer_change_of_insight on customer_change (workspace_id, issue_number);

-- Mentions of an insight by connection and UTC day, for reports: kept up to date like the counts of 0041-mention-counts.sql.
create table insight_source_day (
  workspace_id uuid not null,
  issue_number integer not null,
  connection_id uuid not null,
  day date not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, connection_id, day)
);

-- Who of the people in an insight was told what became of it (docs/decisions/0072-digests.md).
create table told_person (
  workspace_id uuid not null references workspace on delete cascade,
  issue_number integer not null,
  -- As `person_of`: a digest, so that nobody is named here.
  person bytea not null,
  told_by text not null,
  told_at timestamptz not null,
  primary key (workspace_id, issue_number, person)
);

-- One reading of a message. It goes with the message, and when its text is edited.
create table model_reading (
  workspace_id uuid not null,
  item_id bigint not null,
  -- {"start", "end", "kind", "point"}, the offsets in UTF-16 units; an empty list: the message says nothing about the product.
  points jsonb,
  -- Why there is none. withheld: it addresses a model. length: it is too long. reply: no acceptable reply.
  unread text check (unread in ('withheld', 'length', 'reply')),
  -- waiting: the next grouping replaces the mentions by the points. applied: it has.
  state text check (state in ('waiting', 'applied')),
  -- A person wants it to be read again.
  again boolean not null default false,
  model text not null,
  prompt_version text not null,
  read_at timestamptz not null,
  -- Whether a person corrected one of the points. It then has, beside `point`, what the model had read (`read`) and a hash of the mention's text
  -- (`hash`): messages with the same words are read in the same way.
  corrected boolean not null default false,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  constraint model_reading_check1 check (state is null or points is not null)
);
create index model_reading_again on model_reading (workspace_id) where again;
create index model_reading_corrected on model_reading (workspace_id) where corrected;

-- How many mentions of a message an insight got (above 0) or lost. None is written when a message is grouped for the first time: from when on it counts
-- is `arrived_at`, when it was stored. `item_id` remains when the message is deleted, and then names nothing. 0: what changed in one millisecond was
-- nothing in the end.
create table mention_move (
  workspace_id uuid not null,
  issue_number integer not null,
  item_id bigint not null,
  at timestamptz not null,
  arrived_at timestamptz not null,
  mentions smallint not null,
  cause text not null,
  primary key (workspace_id, issue_number, item_id, at)
);
create index mention_move_at on mention_move (workspace_id, at);

-- The last review of an insight. It is due again when the insight has grown by a quarter.
create table model_review (
  workspace_id uuid not null,
  issue_number integer not null,
  -- Of the insight, when it was asked about.
  mention_count integer not null,
  -- Why nothing came of it. reply: it was not believed. people: too little of it may be shown.
  refused text check (refused in ('reply', 'people')),
  model text not null,
  prompt_version text not null,
  tokens bigint not null default 0,
  -- Calls in a row that failed, and until when it is left alone for that.
  failures integer not null default 0,
  retry_at timestamptz,
  reviewed_at timestamptz not null,
  -- same: the insights that the review said are the same problem. Two are merged when the reviews of both say so; merge_into: the next grouping
  -- merges this insight into that one, which counts towards what later reviews may move in a day if merge_later.
  same integer[] not null default '{}',
  merge_into integer,
  merge_later boolean not null default false,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create index model_review_retry on model_review (retry_at) where retry_at is not null;
create index model_review_merging on model_review (workspace_id) where merge_into is not null;

-- A mention that a review takes out of an insight. It goes when the message is deleted or grouped again, and when a person undoes it.
create table model_move (
  workspace_id uuid not null,
  item_id bigint not null,
  number smallint not null,
  from_number integer not null,
  -- The insight that it belongs to; 0: none.
  to_number integer not null,
  -- waiting: the next grouping carries it out. held: it has, and the mention is kept out since.
  state text not null check (state in ('waiting', 'held')),
  -- It was not the first review of the insight.
  later boolean not null,
  model text not null,
  prompt_version text not null,
  decided_at timestamptz not null,
  -- Strangers of one insight with the same part are about one other thing. whole: the insight was merged into the other one, with all that was in it.
  part smallint,
  whole boolean not null default false,
  primary key (workspace_id, item_id, number, from_number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index model_move_open on model_move (workspace_id) where state = 'waiting';
create index model_move_of on model_move (workspace_id, from_number);
create index model_move_into on model_move (workspace_id, to_number) where to_number > 0;

-- The values of messages' attributes by which insights and reports are filtered (docs/decisions/0099-attributes.md).
create table attribute_value (
  workspace_id uuid not null references workspace on delete cascade,
  id integer not null,
  -- As it was first written, and for comparison.
  name text not null,
  name_key text not null,
  -- Null, with an empty key: one of the further values of a name that has too many.
  value text,
  value_key text not null,
  primary key (workspace_id, id)
);
create unique index attribute_value_key on attribute_value (workspace_id, name_key, value_key);

-- The values of a grouped message; no row: it has none. As feedback_customer, beside feedback_item and without foreign keys.
create table feedback_attribute (
  workspace_id uuid not null,
  item_id bigint not null,
  value_ids integer[] not null,
  primary key (workspace_id, item_id)
);

-- How many messages have a value.
create table attribute_total (
  workspace_id uuid not null,
  value_id integer not null,
  messages integer not null,
  primary key (workspace_id, value_id)
);

-- Mentions of an insight by messages that have a value.
create table insight_attribute (
  workspace_id uuid not null,
  issue_number integer not null,
  value_id integer not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, value_id)
);
create index insight_attribute_of on insight_attribute (workspace_id, value_id);

-- What changed since these were last brought up to date, as in customer_change. No insight: so many messages more or fewer have the value.
create table attribute_change (
  workspace_id uuid not null,
  issue_number integer,
  value_id integer not null,
  amount integer not null
);
create index attribute_change_of_insight on attribute_change (workspace_id, issue_number);

-- Deliveries

create table delivery (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  connection_id uuid not null,
  issue_number integer not null,
  event text not null check (event in ('insight.created', 'insight.updated')),
  -- Goes out with every try, so that the receiver can tell a repeat.
  event_id uuid not null default gen_random_uuid(),
  -- 0 for the first push; then the hour (since 1970) of an update: at most one update an hour.
  window_hour bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
  -- The exact text that is sent, made at the first try; `heard` is what the insight had heard by then.
  payload text,
  frozen_at timestamptz,
  heard integer,
  attempts integer not null default 0,
  lease_until timestamptz,
  next_attempt_at timestamptz,
  last_status integer,
  last_error text,
  remote_id text,
  remote_url text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  lost integer not null default 0,
  -- Why a delivery waits. held: the insight already qualified when its destination was connected or switched on, or when the
  -- threshold was lowered; it goes out once somebody chooses it. hourly: at most one update an hour. retry, retry-after,
  -- rate-limited: after a failed try. Null: it is due, or the reason was not kept.
  waits_for text check (waits_for in ('held', 'hourly', 'retry', 'retry-after', 'rate-limited', 'confirming')),
  -- When somebody answered the offer to push what is held and left this one out.
  declined_at timestamptz,
  -- What a delivery left out although it arrived, as text for people, such as a comment that the sign-in may not write. Null: nothing.
  notice text,
  -- True: nobody asked for this delivery, it was added because its insight reached the threshold. False where that is not known, as with those that an
  -- earlier version added: it is sent in any case.
  automatic boolean not null default false,
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade,
  foreign key (workspace_id, issue_number) references insight
);
create unique index delivery_once on delivery (workspace_id, connection_id, issue_number, event, window_hour);
create index delivery_newest on delivery (workspace_id, created_at desc, id desc);
create index delivery_due on delivery (workspace_id, next_attempt_at) where state = any (array['waiting', 'sending']);
create index delivery_held on delivery (workspace_id, connection_id) where waits_for = 'held';

create table attempt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  at timestamptz not null default now(),
  duration_ms integer not null,
  status integer,
  error text,
  answer text,
  primary key (workspace_id, delivery_id, number),
  foreign key (workspace_id, delivery_id) references delivery on delete cascade
);

-- The items that trackers keep of insights (docs/decisions/0033-trackers.md), one of each insight and connection, besides those
-- that are gone.
create table remote_item (
  workspace_id uuid not null,
  -- Chosen before the first request to create the item and stored in it at the provider, by which it is found again.
  marker uuid not null default gen_random_uuid(),
  connection_id uuid not null,
  issue_number integer not null,
  -- The provider's id, once it is known.
  remote_id text,
  url text,
  label text,
  -- gone: deleted there, or moved out of reach. Only a person's push creates another one after that.
  state text not null default 'creating' check (state in ('creating', 'open', 'closed', 'gone')),
  -- The provider's own word for its state.
  state_name text,
  -- The connector's own.
  data jsonb not null default '{}',
  -- When the last request to create it began; null: there was none. Its outcome is unknown while the state is creating.
  began_at timestamptz,
  -- The version of the insight that was sent last: when it was frozen, in milliseconds since 1970.
  sent_version bigint,
  -- The delivery that works on it, and until when.
  held_by uuid,
  held_until timestamptz,
  -- When its state was read last, and when it is read next.
  checked_at timestamptz,
  next_check_at timestamptz,
  created_at timestamptz not null,
  -- A closed item that was not done ships nothing. What is stored is corrected when the states of items are next read.
  declined boolean not null default false,
  -- The titles that were sent for an item, the last one last, whether or not it got them; empty: it was created before they were noted. `title`: what it
  -- showed when it was last written.
  titles text[] not null default '{}',
  title text,
  primary key (workspace_id, marker),
  foreign key (workspace_id, connection_id) references connection on delete cascade,
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  constraint remote_item_check check (state = 'creating' or remote_id is not null)
);
create unique index remote_item_current on remote_item (workspace_id, connection_id, issue_number) where state <> 'gone';
create index remote_item_of_insight on remote_item (workspace_id, issue_number);
create index remote_item_by_id on remote_item (workspace_id, connection_id, remote_id);
create index remote_item_due on remote_item (next_check_at) where state = any (array['open', 'closed']);

-- Comparisons

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

-- Models

-- What a workspace has used in a UTC day.
create table model_day (
  workspace_id uuid not null references workspace on delete cascade,
  day date not null,
  tokens bigint not null default 0,
  calls integer not null default 0,
  primary key (workspace_id, day)
);

-- The same of the whole installation, with what the calls that run now may use at most. A row of its own: it stays when
-- a workspace goes, and it is what calls wait for each other at.
create table model_budget (
  day date primary key,
  tokens bigint not null default 0
);

-- What is wrong with the model, for operators; no row while nothing is. No call is made before `paused_until`.
create table model_trouble (
  one boolean default true primary key check (one),
  what text not null,
  since timestamptz not null,
  paused_until timestamptz
);

-- When a workspace was last looked through for such questions, so that it is not looked through again for nothing.
create table model_look (
  workspace_id uuid not null references workspace on delete cascade,
  task text not null,
  -- How the groups stood, and with which model and prompt.
  head bigint not null,
  made_with text not null,
  -- Looks in a row that ended early, and until when it is left alone for that.
  failures integer not null default 0,
  retry_at timestamptz,
  primary key (workspace_id, task)
);
create index model_look_retry on model_look (retry_at) where retry_at is not null;

-- Which messages of a workspace a language model reads. Without a row: none.
create table reading_choice (
  workspace_id uuid primary key references workspace on delete cascade,
  -- new: messages after `since_item`. all: the earlier ones too.
  scope text not null check (scope in ('new', 'all')),
  paused boolean not null default false,
  since_item bigint not null,
  -- Earlier messages up to this one may be unread; 0: none is.
  before_item bigint not null,
  chosen_by text not null,
  chosen_at timestamptz not null,
  -- Whether insights are reviewed where messages are read. An owner switches it on.
  reviews boolean not null default false
);

-- Embeddings

-- The model whose vectors a workspace groups with; no row: words alone.
create table embedding_choice (
  workspace_id uuid primary key references workspace on delete cascade,
  space text not null,
  chosen_at timestamptz not null
);

-- The vector of one statement: a scale (4 bytes) and a signed byte for each dimension; null: the model refuses this text. By the
-- hash of its text the same words are never asked about twice in a workspace. It goes with its message, and when that is edited.
create table statement_vector (
  workspace_id uuid not null,
  space text not null,
  item_id bigint not null,
  number smallint not null,
  text_hash bytea not null,
  vector bytea,
  primary key (workspace_id, space, item_id, number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
alter table statement_vector alter column vector set storage external;
create index statement_vector_of_text on statement_vector (workspace_id, space, text_hash);
create index statement_vector_of_item on statement_vector (workspace_id, item_id);

-- A switch to another model, or to words alone (to_space is empty): prepared, shown and applied or discarded.
create table embedding_switch (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  to_space text not null,
  state text not null default 'gathering' check (state in ('gathering', 'grouping', 'ready', 'applying', 'applied', 'discarded', 'failed')),
  -- The head of the groups as of which the preview is, what it says, and a hash of all that it would change.
  as_of bigint,
  preview jsonb,
  plan_hash text,
  problem text,
  began_by text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create unique index embedding_switch_open on embedding_switch (workspace_id) where state = any (array['gathering', 'grouping', 'ready', 'applying']);
create index embedding_switch_newest on embedding_switch (workspace_id, began_at desc);

-- What is wrong with the model, for operators; no row while nothing is. It is not asked before `paused_until`.
create table embedding_trouble (
  one boolean default true primary key check (one),
  what text not null,
  since timestamptz not null,
  paused_until timestamptz
);

-- What a model answered about a text that is always the same, packed as vectors are. One that answers otherwise later is another
-- model behind the same name, with a space of its own: its vectors are not compared with those before.
create table embedding_model (
  space text primary key,
  -- Provider and model as they are set up.
  name text not null,
  probe bytea not null,
  -- Whether it answers like this now, and since when.
  current boolean not null,
  since timestamptz not null
);
create unique index embedding_model_current on embedding_model (name) where current;

-- The tokens that the installation has used in a day, with what the calls that run now may use at most.
create table embedding_budget (
  day date primary key,
  tokens bigint not null default 0,
  -- The budget that a call did not fit into; null: all did.
  spent_at bigint
);

-- What is wrong with it, for operators; no row while nothing is. It is not started before `paused_until`.
create table encoder_trouble (
  one boolean default true primary key check (one),
  what text not null,
  since timestamptz not null,
  paused_until timestamptz
);

-- A pass of the built-in encoder over many messages, as people see it.
create table encoder_reading (
  workspace_id uuid primary key references workspace on delete cascade,
  done integer not null,
  total integer not null,
  moved_at timestamptz not null,
  ended_at timestamptz
);

-- Sweep

-- The state of a workspace in which a sweep found nothing to do. Until `revision`, `group_version` or `rules` differs, or `again_at` is
-- reached, the sweep does not look at that workspace again. Without a row it does.
create table sweep_mark (
  workspace_id uuid not null references workspace on delete cascade,
  sweep text not null,
  -- Of the workspace; then the version of its groups (engine_state.head).
  revision bigint not null,
  group_version bigint not null,
  -- What else the sweep decides by, such as the version of its code.
  rules text not null,
  again_at timestamptz not null,
  primary key (workspace_id, sweep)
);

-- Queue

-- A worker takes jobs as long as `until` lies ahead.
create unlogged table job_worker (
  id uuid primary key,
  until timestamptz not null
);

create unlogged table job_lease (
  key text primary key,
  worker uuid not null references job_worker on delete cascade
);
create index job_lease_worker on job_lease (worker);

-- Views

-- Filters, order and grouping of the table of insights under a name (docs/decisions/0070-shared-links.md). A view belongs to a member, and goes
-- with the membership.
create table saved_view (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  name text not null,
  query text not null,
  -- Whether the whole workspace sees it.
  shared boolean not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create unique index saved_view_name on saved_view (workspace_id, account_id, lower(name));
create index saved_view_account on saved_view (account_id);

-- Digests

-- What a person chose; without a row everything is off.
create table digest_choice (
  workspace_id uuid not null,
  account_id uuid not null,
  frequency text not null check (frequency in ('off', 'daily', 'weekly')),
  -- From 1, Monday, to 7.
  weekday smallint not null check (weekday >= 1 and weekday <= 7),
  hour smallint not null check (hour >= 0 and hour <= 23),
  time_zone text not null,
  alert_spike boolean not null default false,
  alert_regression boolean not null default false,
  -- A new insight in one of these is an alert.
  watched_themes integer[] not null default '{}',
  -- What happened before is no alert; null: there are none.
  alerts_since timestamptz,
  -- From that hour to the other one alerts wait; null: never.
  quiet_from smallint check (quiet_from >= 0 and quiet_from <= 23),
  quiet_until smallint check (quiet_until >= 0 and quiet_until <= 23),
  -- What happened before was in a digest already, or before the first.
  covered_until timestamptz not null,
  -- Null: no digest is due.
  next_at timestamptz,
  -- A new insight from one of these customers is an alert (docs/decisions/0077-posts.md).
  watched_customers uuid[] not null default '{}',
  primary key (workspace_id, account_id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index digest_choice_due on digest_choice (next_at) where next_at is not null;
create index digest_choice_alerted on digest_choice (workspace_id) where alerts_since is not null;

-- Each mail and what became of it. Its content is not stored: a mail that was refused is written again.
create table digest_mail (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  kind text not null check (kind in ('digest', 'alert', 'notice')),
  -- What happened from then on is in it.
  since timestamptz not null,
  -- sending: the attempt was about to be made, and its outcome is not known yet. uncertain: it never will be; nothing: there was nothing to write.
  state text not null check (state in ('waiting', 'sending', 'sent', 'uncertain', 'refused', 'nothing')),
  tries smallint not null default 0,
  -- waiting: of the next attempt; sending: when its outcome counts as unknown.
  due_at timestamptz,
  error text,
  -- SHA-256 of the random token in its link to unsubscribe, which is not stored.
  unsubscribe_hash bytea,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index digest_mail_due on digest_mail (due_at) where due_at is not null;
create index digest_mail_person on digest_mail (workspace_id, account_id, created_at desc);
create unique index digest_mail_unsubscribe on digest_mail (unsubscribe_hash);

-- What a person is alerted to. `mail_id`: the mail that says so; null: none yet.
create table alert_item (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  kind text not null check (kind in ('spike', 'regression', 'theme', 'customer')),
  issue_number integer not null,
  note text not null,
  found_at timestamptz not null,
  mail_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index alert_item_person on alert_item (workspace_id, account_id, found_at);

-- What a person gets a mail about. `mail_id`: the mail that says so; null: none yet.
create table notice_item (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  kind text not null check (kind in ('assigned', 'mentioned')),
  issue_number integer not null,
  -- Where the person is mentioned.
  comment_id uuid,
  -- The account that assigned it, or wrote the comment.
  made_by uuid not null,
  found_at timestamptz not null,
  mail_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index notice_item_person on notice_item (workspace_id, account_id, found_at);

-- What a channel gets. `connection_id`: the second sign-in, with which it is posted.
create table post_channel (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  connection_id uuid not null,
  -- As the provider names it, and as people do.
  channel text not null,
  label text not null,
  frequency text not null check (frequency in ('off', 'daily', 'weekly')),
  -- From 1, Monday, to 7.
  weekday smallint not null check (weekday >= 1 and weekday <= 7),
  hour smallint not null check (hour >= 0 and hour <= 23),
  time_zone text not null,
  alert_spike boolean not null default false,
  alert_regression boolean not null default false,
  watched_themes integer[] not null default '{}',
  -- What happened before is no alert; null: there are none.
  alerts_since timestamptz,
  -- From that hour to the other one alerts wait; null: never.
  quiet_from smallint check (quiet_from >= 0 and quiet_from <= 23),
  quiet_until smallint check (quiet_until >= 0 and quiet_until <= 23),
  -- What happened before was in a digest already, or before the first.
  covered_until timestamptz not null,
  -- Null: no digest is due.
  next_at timestamptz,
  set_by text not null,
  watched_customers uuid[] not null default '{}',
  primary key (workspace_id, id),
  unique (workspace_id, connection_id, channel),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index post_channel_due on post_channel (next_at) where next_at is not null;
-- Which workspaces a sweep checks for alerts: those that changed, among those in which somebody wants alerts.
create index post_channel_alerted on post_channel (workspace_id) where alerts_since is not null;

-- Each message and what became of it. The content of digests and alerts is not stored: one that was refused is written again.
create table post (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  connection_id uuid not null,
  kind text not null check (kind in ('digest', 'alert', 'reply')),
  -- Of a digest or an alert.
  channel_id uuid,
  -- What happened from then on is in it.
  since timestamptz,
  -- Of a reply: the conversation, the people in it (as `person_of`, in hexadecimal), and the text, until it is settled.
  issue_number integer,
  channel text,
  thread text,
  people text[],
  body text,
  posted_by text,
  -- sending: the attempt was about to be made, and its outcome is not known yet. uncertain: it never will be; nothing: there was nothing to write.
  state text not null check (state in ('waiting', 'sending', 'sent', 'uncertain', 'refused', 'nothing')),
  tries smallint not null default 0,
  -- waiting: of the next attempt; sending: when its outcome counts as unknown.
  due_at timestamptz,
  error text,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade,
  foreign key (workspace_id, channel_id) references post_channel on delete cascade,
  constraint post_check check ((kind = 'reply') = (channel_id is null))
);
create index post_due on post (due_at) where due_at is not null;
create index post_channel_latest on post (workspace_id, channel_id, created_at desc);
create index post_reply on post (workspace_id, issue_number, channel, thread) where kind = 'reply';

-- What a channel is alerted to. `post_id`: the message that says so; null: none yet.
create table post_alert (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  channel_id uuid not null,
  kind text not null,
  issue_number integer not null,
  note text not null,
  found_at timestamptz not null,
  post_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references post_channel on delete cascade
);
create index post_alert_channel on post_alert (workspace_id, channel_id, found_at);

-- Receivers

create table receiver (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The address, which may contain a key, and the signing secrets. Null: a backup without secrets left them out.
  sealed text,
  description text not null,
  -- Null: all of them, also those of later versions.
  events text[],
  -- Null: enabled. Else why events are not sent to it.
  disabled_because text check (disabled_because in ('person', 'gone', 'failing')),
  disabled_at timestamptz,
  -- The first failed attempt since the last successful one.
  failing_since timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

-- What happened. Its id is the `webhook-id` of every attempt.
create table outgoing_event (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null,
  -- Null: a test.
  issue_number integer,
  merged_into integer,
  -- The changed fields with their values before; null where they are not kept.
  changed jsonb not null default '{}',
  happened_at timestamptz not null,
  -- The body, written for the first attempt; the same for every later one.
  payload text,
  primary key (workspace_id, id)
);
create index outgoing_event_age on outgoing_event (happened_at);
create index outgoing_event_newest on outgoing_event (workspace_id, happened_at);
create index outgoing_event_of_insight on outgoing_event (workspace_id, issue_number, happened_at);

-- One event for one receiver.
create table receiver_delivery (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  receiver_id uuid not null,
  event_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
  -- waiting: of the next attempt; sending: when the worker that made it counts as gone.
  due_at timestamptz,
  attempts integer not null default 0,
  -- Failed attempts since the delivery was asked for, which choose the next pause.
  failures smallint not null default 0,
  attempted_at timestamptz,
  status smallint,
  error text,
  primary key (workspace_id, id),
  unique (workspace_id, receiver_id, event_id),
  foreign key (workspace_id, receiver_id) references receiver on delete cascade,
  foreign key (workspace_id, event_id) references outgoing_event on delete cascade
);
create index receiver_delivery_due on receiver_delivery (due_at) where due_at is not null;
create index receiver_delivery_next on receiver_delivery (workspace_id, receiver_id, due_at) where due_at is not null;
create index receiver_delivery_of_event on receiver_delivery (workspace_id, event_id);

-- Comments

-- Comments of the team on an insight. Those of one that was merged are shown with the one that it was merged into.
create table insight_comment (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  issue_number integer not null,
  -- Null: the account was deleted.
  account_id uuid references account on delete set null,
  text text not null check (length(text) <= 5000),
  -- The accounts that it mentions.
  mentions uuid[] not null default '{}',
  written_at timestamptz not null,
  edited_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create index insight_comment_place on insight_comment (workspace_id, issue_number, written_at, id);
create index insight_comment_account on insight_comment (account_id);

-- Shares

-- What was taken of a day's budget. `person` is empty for background work of the workspace.
create unlogged table budget_share (
  budget text not null,
  day date not null,
  -- Digests, as in attempt_count.
  workspace text not null,
  person text not null,
  tokens bigint not null,
  -- What of it was taken in the quarter of an hour with this number.
  quarter bigint not null,
  quarter_tokens bigint not null,
  asked_at timestamptz not null,
  primary key (budget, day, workspace, person)
);

-- Calls that run, and those that are the next of a person to run. Each is renewed until it ends, so that one whose process died is forgotten.
create unlogged table call_turn (
  kind text not null,
  id uuid not null,
  workspace text not null,
  person text not null,
  runs boolean not null,
  expires_at timestamptz not null,
  primary key (kind, id)
);

-- Evaluation

-- An owner's consent that the corrections of a workspace are used as labelled cases (docs/decisions/0112-cases-from-corrections.md). The cases themselves
-- are not stored: they are made of the corrections and messages when they are needed, and there are none without this row.
create table case_consent (
  workspace_id uuid primary key references workspace on delete cascade,
  given_by text not null,
  given_at timestamptz not null
);

-- Evals

-- Scores that administrators give in place of those in an evaluation file (docs/decisions/0111-scores-by-people.md). A score belongs to a member, and
-- goes with the membership. The file itself is never changed.
create table eval_score (
  workspace_id uuid not null,
  account_id uuid not null,
  filename text not null,
  -- The evaluated response and the evaluator: their places in the file's lists, from 0.
  page integer not null,
  evaluator integer not null,
  score double precision not null,
  reason text not null,
  -- The score that the file had there; null: none.
  automatic double precision,
  scored_at timestamptz not null,
  primary key (workspace_id, account_id, filename, page, evaluator),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index eval_score_account on eval_score (account_id);

-- Checks of new rows only: the databases of before 0.1.0 may hold older ones.

alter table statement add constraint statement_in_one_group check (issue_number is null or emerging_number is null) not valid;
alter table statement add constraint statement_feedback_kind check (feedback_kind in ('problem', 'request', 'question', 'praise',
  'small talk')) not valid;
alter table statement add constraint statement_kind_by check (kind_by in ('role', 'teaching', 'language', 'model', 'person', 'reading')) not valid;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed', 'ended', 'deleted',
  'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked', 'undone', 'item_gone', 'item_renamed',
  'team_status', 'assigned', 'reviewed_out', 'reviewed_in', 'point')) not valid;
alter table correction add constraint correction_kind_check check (kind in ('merge', 'split', 'move', 'add', 'create', 'reject', 'decline', 'rename',
  'lock', 'point')) not valid;
alter table model_reading add constraint model_reading_check
  check ((points is null or unread is null) and (points is not null or unread is not null or again)) not valid;
alter table mention_move add constraint mention_move_cause_check check (cause in ('regrouped', 'clearer', 'edited', 'read', 'deleted', 'person',
  'model')) not valid;
alter table model_look add constraint model_look_task_check check (task in ('joins', 'splits', 'readings')) not valid;

-- What the app may do. It owns nothing and bypasses nothing.

grant select, insert, update, delete on all tables in schema public to groundswell_app;
revoke insert, update, delete on first_admin, audit_retention from groundswell_app;
revoke update, delete on audit_event from groundswell_app;
grant usage on sequence audit_event_id_seq, feedback_item_id_seq to groundswell_app;

-- Rows belong to a workspace: a transaction sees those of its own.

do $$
declare t text;
begin
  foreach t in array array[
    'alert_item', 'api_key', 'attempt', 'attribute_change', 'attribute_total', 'attribute_value', 'case_consent', 'comparison_selection',
    'connection', 'context_message', 'correction', 'correction_statement', 'counted_author', 'customer', 'customer_change', 'customer_due',
    'customer_fill', 'declined_merge', 'delivery', 'digest_choice', 'digest_mail', 'embedding_choice', 'embedding_switch', 'emerging_insight',
    'encoder_reading', 'engine_state', 'erased_message', 'eval_score', 'event_subscription', 'feedback_attribute', 'feedback_customer',
    'feedback_item', 'feedback_retention', 'feedback_search', 'forgotten_item', 'import', 'import_chunk', 'import_row', 'insight',
    'insight_attribute', 'insight_comment', 'insight_customer', 'insight_day', 'insight_event', 'insight_person', 'insight_source',
    'insight_source_day', 'insight_tag', 'insight_theme', 'insight_total', 'invitation', 'item_version', 'kind_change', 'kind_correction',
    'kind_count', 'late_vector', 'member_suggestion', 'mention_change', 'mention_move', 'merge_suggestion', 'model_answer', 'model_day',
    'model_description', 'model_join', 'model_look', 'model_move', 'model_reading', 'model_review', 'model_split', 'notice_item', 'oauth_state',
    'outgoing_event', 'post', 'post_alert', 'post_channel', 'provider_app', 'provider_event', 'reading_choice', 'receiver', 'receiver_delivery',
    'remote_item', 'replaced_text', 'request_pause', 'saved_view', 'search_fill', 'search_renewal', 'shared_link', 'sso_provider', 'statement',
    'statement_rule', 'statement_vector', 'sweep_mark', 'sync_state', 'tag_check', 'theme', 'told_person', 'visit', 'workspace'
  ] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;

alter table audit_event enable row level security;
alter table audit_event force row level security;
create policy tenant on audit_event for select
  using (workspace_id is not distinct from nullif(current_setting('groundswell.workspace', true), '')::uuid);
alter table member enable row level security;
alter table member force row level security;
create policy tenant on member using (
  workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid
  or account_id = nullif(current_setting('groundswell.account', true), '')::uuid
);

-- What a token, or an account before its workspace is known, may see besides.

create policy written on audit_event for insert with check (true);
create policy bearer on api_key for select using (token_hash = decode(nullif(current_setting('groundswell.api_key', true), ''), 'hex'));
create policy own on api_key for select using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy own_end on api_key for delete using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy bearer on invitation for select using (token_hash = decode(nullif(current_setting('groundswell.invitation', true), ''), 'hex'));
create policy own on invitation for select using (invited_by = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy bearer on shared_link for select using (token_hash = decode(nullif(current_setting('groundswell.shared_link', true), ''), 'hex'));
create policy own on shared_link for select using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy own_end on shared_link for delete using (account_id = nullif(current_setting('groundswell.account', true), '')::uuid);
create policy unsubscriber on digest_mail for select using (unsubscribe_hash = decode(nullif(current_setting('groundswell.unsubscribe', true), ''), 'hex'));

-- Row-level security is forced on the owner too. It sees the rows of all workspaces where its functions find due work.

do $$
declare t text;
begin
  foreach t in array array[
    'alert_item', 'connection', 'context_message', 'correction', 'customer_change', 'customer_due', 'customer_fill', 'delivery', 'digest_choice',
    'digest_mail', 'embedding_choice', 'embedding_switch', 'emerging_insight', 'engine_state', 'event_subscription', 'feedback_item',
    'feedback_retention', 'feedback_search', 'forgotten_item', 'import', 'insight', 'insight_total', 'kind_correction', 'late_vector', 'member',
    'model_description', 'model_join', 'model_look', 'model_move', 'model_review', 'oauth_state', 'outgoing_event', 'post', 'post_alert',
    'post_channel', 'provider_app', 'provider_event', 'receiver', 'receiver_delivery', 'remote_item', 'search_fill', 'search_renewal', 'sso_provider',
    'sweep_mark', 'sync_state', 'workspace'
  ] loop
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

create policy owner_forgets on audit_event to current_user using (true);
create policy owner_deletes on feedback_search for delete to current_user using (true);
create policy owner_follows on feedback_customer to current_user using (true) with check (true);
create policy owner_follows on customer_change to current_user using (true) with check (true);
create policy owner_follows on feedback_attribute to current_user using (true) with check (true);
create policy owner_follows on attribute_change to current_user using (true) with check (true);

-- How long the audit log is kept, until the settings of the installation say otherwise.

insert into audit_retention (days) values (365);
