-- What people say about insights, kept as constraints that no regrouping goes against.

alter table insight
  -- A person gave the name: descriptions of the engine leave it.
  add column name_by_person boolean not null default false,
  -- What the engine calls it, for when the name is given back; null: it is `name`.
  add column engine_name text,
  -- Revisions take nothing out of it and put nothing into it, and it keeps its name.
  add column locked boolean not null default false;

-- The version of the engine that decided; null: before versions were kept.
alter table statement add column engine_version text;

-- One correction: what was asked, what it found and left, for the history and for undo. It outlives accounts, so it names
-- the person and does not refer to one.
create table correction (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  issue_number integer not null,
  kind text not null check (kind in ('merge', 'split', 'move', 'reject', 'rename', 'lock')),
  request jsonb not null,
  -- waiting: the next grouping carries it out.
  state text not null check (state in ('waiting', 'applied', 'refused', 'undone')) default 'waiting',
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
  primary key (workspace_id, id),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create index correction_open on correction (workspace_id, asked_at) where state = 'waiting' or undoing;
create index correction_newest on correction (workspace_id, created_at desc);

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
  primary key (workspace_id, correction_id, item_id, number),
  foreign key (workspace_id, correction_id) references correction on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index correction_statement_of_item on correction_statement (workspace_id, item_id);

-- The history says more, and says who: in the detail of an event `by` is the person in whose name the transaction works.
alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone'));

create or replace function note_insight_change() returns trigger language plpgsql as $$
declare
  who jsonb := jsonb_strip_nulls(jsonb_build_object('by', nullif(current_setting('groundswell.person', true), '')));
begin
  if new.name <> old.name then
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (new.workspace_id, new.issue_number, new.last_updated, 'renamed',
      who || jsonb_build_object('from', old.name, 'to', new.name));
  end if;
  if new.status <> old.status then
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (new.workspace_id, new.issue_number, 'status', jsonb_build_object('from', old.status, 'to', new.status));
  end if;
  if old.ended_at is null and new.ended_at is not null then
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (new.workspace_id, new.issue_number, new.ended_at, case when new.merged_into is null then 'ended' else 'merged' end,
      who || jsonb_strip_nulls(jsonb_build_object('into', new.merged_into)));
    if new.merged_into is not null then
      insert into insight_event (workspace_id, issue_number, at, event, detail)
      values (new.workspace_id, new.merged_into, new.ended_at, 'absorbed',
        who || jsonb_build_object('from', new.issue_number, 'name', new.name));
    end if;
  end if;
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    insert into insight_event (workspace_id, issue_number, event)
    values (new.workspace_id, new.issue_number, case when new.deleted_at is null then 'restored' else 'deleted' end);
  end if;
  return null;
end $$;

grant select, insert, update, delete on correction, statement_rule, correction_statement to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['correction', 'statement_rule', 'correction_statement'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
