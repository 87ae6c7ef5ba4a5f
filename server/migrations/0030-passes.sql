-- Vectors that are computed after their statements were grouped, insights that are emerging, and suggestions.

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
create index emerging_insight_marked on emerging_insight (workspace_id)
  where dismissed_in_engine <> (dismissed_at is not null);

alter table statement add column emerging_number integer;
-- Not validated: existing rows have no number.
alter table statement add constraint statement_in_one_group check (issue_number is null or emerging_number is null) not valid;
create index statement_of_emerging on statement (workspace_id, emerging_number, said_at desc, item_id desc, number desc)
  where emerging_number is not null;

-- The highest number of an emerging insight so far: none is used again.
alter table engine_state add column last_emerging integer not null default 0;

alter table correction_statement add column emerging_number integer;
alter table forgotten_item add column emerging_numbers integer[] not null default '{}';

create or replace function remember_deleted_item() returns trigger language plpgsql as $$
begin
  insert into forgotten_item (workspace_id, item_id, numbers, issue_numbers, emerging_numbers)
  select old.workspace_id, old.id, array_agg(number), coalesce(array_agg(issue_number) filter (where issue_number is not null), '{}'),
    coalesce(array_agg(emerging_number) filter (where emerging_number is not null), '{}')
  from statement where workspace_id = old.workspace_id and item_id = old.id
  having count(*) > 0
  on conflict do nothing;
  return old;
end $$;

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
  score real not null,
  person text not null,
  declined_at timestamptz not null,
  primary key (workspace_id, id)
);

-- A mention is not of this insight and stays where it is. `suggestion_score`: what was suggested, if it answers that.
alter table correction add column suggestion_score real;
alter table correction drop constraint correction_kind_check;
alter table correction add constraint correction_kind_check
  check (kind in ('merge', 'split', 'move', 'add', 'create', 'reject', 'decline', 'rename', 'lock'));
create index correction_answers on correction (workspace_id, created_at desc) where suggestion_score is not null;

-- A pass of the built-in encoder over many messages, as people see it.
create table encoder_reading (
  workspace_id uuid primary key references workspace on delete cascade,
  done integer not null,
  total integer not null,
  moved_at timestamptz not null,
  ended_at timestamptz
);

grant select, insert, update, delete on encoder_reading, late_vector, emerging_insight, member_suggestion, merge_suggestion, declined_merge
  to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['encoder_reading', 'late_vector', 'emerging_insight', 'member_suggestion', 'merge_suggestion',
    'declined_merge'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  foreach t in array array['late_vector', 'emerging_insight'] loop
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

create or replace function workspaces_to_group() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from feedback_item where grouped_seq is null
    union select workspace_id from forgotten_item
    union select workspace_id from correction where state = 'waiting' or undoing
    union select workspace_id from model_join where state = 'waiting'
    union select workspace_id from insight where removed_in_engine <> (deleted_at is not null)
    union select workspace_id from emerging_insight where dismissed_in_engine <> (dismissed_at is not null)
    union select workspace_id from late_vector
  $$;
