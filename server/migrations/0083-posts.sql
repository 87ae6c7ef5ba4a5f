-- Messages to channels of a provider (docs/decisions/0077-posts.md).

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
  weekday smallint not null check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  alert_spike boolean not null default false,
  alert_regression boolean not null default false,
  watched_themes integer[] not null default '{}',
  -- What happened before is no alert; null: there are none.
  alerts_since timestamptz,
  -- From that hour to the other one alerts wait; null: never.
  quiet_from smallint check (quiet_from between 0 and 23),
  quiet_until smallint check (quiet_until between 0 and 23),
  -- What happened before was in a digest already, or before the first.
  covered_until timestamptz not null,
  -- Null: no digest is due.
  next_at timestamptz,
  set_by text not null,
  primary key (workspace_id, id),
  unique (workspace_id, connection_id, channel),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index post_channel_due on post_channel (next_at) where next_at is not null;

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
  check ((kind = 'reply') = (channel_id is null)),
  foreign key (workspace_id, connection_id) references connection on delete cascade,
  foreign key (workspace_id, channel_id) references post_channel on delete cascade
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

grant select, insert, update, delete on post_channel, post, post_alert to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['post_channel', 'post', 'post_alert'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

create function workspaces_with_due_post(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from post_channel where next_at <= at
    union select workspace_id from post where due_at <= at
  $$;
revoke all on function workspaces_with_due_post(timestamptz) from public;
grant execute on function workspaces_with_due_post(timestamptz) to groundswell_app;
