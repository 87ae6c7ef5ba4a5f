-- Accounts. These three tables have no tenant: they are read before a workspace is known.

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now()
);

create table session (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  workspace_id uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_account on session (account_id);

-- Tenants. From here on every key starts with workspace_id, and row-level security holds for every table.

create table workspace (
  workspace_id uuid primary key default gen_random_uuid(),
  name text not null,
  settings jsonb not null default '{"method":"auto","min_inputs":3,"categories":[]}',
  -- Rises with every change that a list of insights shows: the ETag of polls.
  revision bigint not null default 1,
  next_issue_number integer not null default 1,
  created_at timestamptz not null default now()
);

create table member (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, account_id)
);
create index member_account on member (account_id);

create table connection (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  connector text not null,
  status text not null check (status in ('connected', 'syncing')) default 'connected',
  paused boolean not null default false,
  push_automatically boolean not null default true,
  settings jsonb not null default '{}',
  sealed_secrets text,
  cursor jsonb,
  error text,
  read_count integer not null default 0,
  total_count integer,
  last_sync_at timestamptz,
  created_at timestamptz not null default now(),
  disconnected_at timestamptz,
  primary key (workspace_id, id)
);
-- One live connection a connector and workspace; disconnected ones stay for their feedback and deliveries.
create unique index connection_live on connection (workspace_id, connector) where disconnected_at is null;

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
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create unique index feedback_item_external on feedback_item (workspace_id, connection_id, external_id);
create index feedback_item_ungrouped on feedback_item (workspace_id, id) where grouped_seq is null;
create index feedback_item_grouped on feedback_item (workspace_id, grouped_seq) where grouped_seq is not null;

create table insight (
  workspace_id uuid not null references workspace on delete cascade,
  issue_number integer not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  summary text not null,
  status text not null check (status in ('created', 'pushed', 'resolved', 'regressed', 'ignored')) default 'created',
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
  -- The workspace's revision when a list last had to show it anew.
  revision bigint not null default 0,
  primary key (workspace_id, issue_number)
);
create index insight_revision on insight (workspace_id, revision);
create unique index insight_id on insight (workspace_id, id);

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
  primary key (workspace_id, item_id, number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  foreign key (workspace_id, issue_number) references insight
);
create index statement_of_insight on statement (workspace_id, issue_number, said_at desc, item_id desc, number desc)
  where issue_number is not null;

-- Items that their source deleted after they were grouped: the group index still has to forget their statements.
create table forgotten_item (
  workspace_id uuid not null,
  item_id bigint not null,
  numbers smallint[] not null,
  issue_numbers integer[] not null,
  primary key (workspace_id, item_id)
);

create function remember_deleted_item() returns trigger language plpgsql as $$
begin
  insert into forgotten_item (workspace_id, item_id, numbers, issue_numbers)
  select old.workspace_id, old.id, array_agg(number), coalesce(array_agg(issue_number) filter (where issue_number is not null), '{}')
  from statement where workspace_id = old.workspace_id and item_id = old.id
  having count(*) > 0
  on conflict do nothing;
  return old;
end $$;
create trigger deleted_item before delete on feedback_item for each row execute function remember_deleted_item();

-- The group index of a workspace, as of item `grouped_seq`; later items are replayed from their stored decisions. `head`
-- rises with every change of the groups: of two writers that began at the same head, one starts again.
create table engine_state (
  workspace_id uuid primary key references workspace on delete cascade,
  head bigint not null default 0,
  grouped_seq bigint not null default 0,
  state bytea,
  stored_at timestamptz not null default now()
);
-- The state is packed already: compressing it again only costs time.
alter table engine_state alter column state set storage external;

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
  state text not null check (state in ('waiting', 'sending', 'delivered', 'failed')) default 'waiting',
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
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade,
  foreign key (workspace_id, issue_number) references insight
);
create unique index delivery_once on delivery (workspace_id, connection_id, issue_number, event, window_hour);
create index delivery_newest on delivery (workspace_id, created_at desc, id desc);
create index delivery_due on delivery (workspace_id, next_attempt_at) where state in ('waiting', 'sending');

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

create table import (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  connection_id uuid not null,
  name text not null,
  options jsonb not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')) default 'waiting',
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
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- The file of an import, in pieces, until it has been read: any worker on any machine can go on with it.
create table import_chunk (
  workspace_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (workspace_id, import_id, number),
  foreign key (workspace_id, import_id) references import on delete cascade
);

-- What the app may do. It owns nothing and bypasses nothing.

grant select, insert, update, delete on all tables in schema public to groundswell_app;
grant usage on all sequences in schema public to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['workspace', 'connection', 'feedback_item', 'insight', 'statement', 'forgotten_item', 'engine_state', 'delivery',
    'attempt', 'import', 'import_chunk'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;

-- A person finds their own places; a workspace sees its own people.
alter table member enable row level security;
alter table member force row level security;
create policy tenant on member using (
  workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid
  or account_id = nullif(current_setting('groundswell.account', true), '')::uuid
);

-- The ids of all workspaces, for periodic work, and nothing else of them. Row-level security is forced on the owner too.
do $$
begin
  execute format('create policy owner_lists on workspace for select to %I using (true)', current_user);
end $$;

create function all_workspace_ids() returns setof uuid
  language sql stable security definer set search_path = public
  as $$ select workspace_id from workspace $$;
revoke all on function all_workspace_ids() from public;
grant execute on function all_workspace_ids() to groundswell_app;
