-- Mails to a person about their workspace (docs/decisions/0072-digests.md).

-- What a person chose; without a row everything is off.
create table digest_choice (
  workspace_id uuid not null,
  account_id uuid not null,
  frequency text not null check (frequency in ('off', 'daily', 'weekly')),
  -- From 1, Monday, to 7.
  weekday smallint not null check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  alert_spike boolean not null default false,
  alert_regression boolean not null default false,
  -- A new insight in one of these is an alert.
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
  primary key (workspace_id, account_id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index digest_choice_due on digest_choice (next_at) where next_at is not null;

-- Each mail and what became of it. Its content is not stored: a mail that was refused is written again.
create table digest_mail (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  kind text not null check (kind in ('digest', 'alert')),
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
  kind text not null check (kind in ('spike', 'regression', 'theme')),
  issue_number integer not null,
  note text not null,
  found_at timestamptz not null,
  mail_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index alert_item_person on alert_item (workspace_id, account_id, found_at);

grant select, insert, update, delete on digest_choice, digest_mail, alert_item to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['digest_choice', 'digest_mail', 'alert_item'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;
-- The bearer of a mail's link finds it before its workspace is known.
create policy unsubscriber on digest_mail for select
  using (unsubscribe_hash = decode(nullif(current_setting('groundswell.unsubscribe', true), ''), 'hex'));

create function workspaces_with_due_mail(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from digest_choice where next_at <= at
    union select workspace_id from digest_mail where due_at <= at
  $$;
revoke all on function workspaces_with_due_mail(timestamptz) from public;
grant execute on function workspaces_with_due_mail(timestamptz) to groundswell_app;
