-- What each statement is (docs/kinds.md): a problem, a request, a question, praise or small talk.

-- `feedback_kind`: null in an unknown language, and in rows from before this migration, whose `kind_by` is null too. `subjectless`: it was
-- surely praise or small talk, so it is grouped with nothing.
alter table statement
  add column feedback_kind text,
  add column kind_by text,
  add column subjectless boolean not null default false;
-- Not validated: existing rows have no kind.
alter table statement add constraint statement_feedback_kind check (
  feedback_kind in ('problem', 'request', 'question', 'praise', 'small talk')) not valid;
alter table statement add constraint statement_kind_by check (
  kind_by in ('role', 'teaching', 'language', 'model', 'person')) not valid;
create index statement_ungrouped_kind on statement (workspace_id, feedback_kind, said_at desc, item_id desc, number desc)
  where issue_number is null and feedback_kind is not null;

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

-- `taught`: grows with every correction of a kind. `kinds_after`: a step decides the kinds of the statements of messages after this one that
-- have none; null when all have.
alter table engine_state
  add column taught integer not null default 0,
  -- Of the existing rows only: row-level security hides them from an update.
  add column kinds_after bigint default 0;
alter table engine_state alter column kinds_after drop default;
create index engine_state_kinds on engine_state (workspace_id) where kinds_after is not null;

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

create function kind_group(kind text, issue_number integer) returns integer language sql immutable as
  $$ select case when kind = 'noise' then -1 else coalesce(issue_number, 0) end $$;
create function counted_kind(feedback_kind text, issue_number integer, reason text) returns text language sql immutable as
  $$ select case when issue_number is not null and reason = 'agrees within its conversation' then 'agrees' else feedback_kind end $$;

create function note_kinds() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into kind_change (workspace_id, issue_number, kind, mentions)
    select workspace_id, kind_group(kind, issue_number), counted_kind(feedback_kind, issue_number, reason), count(*) from made
    where feedback_kind is not null group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into kind_change (workspace_id, issue_number, kind, mentions)
    select workspace_id, kind_group(kind, issue_number), counted_kind(feedback_kind, issue_number, reason), -count(*) from gone
    where feedback_kind is not null group by 1, 2, 3;
  else
    insert into kind_change (workspace_id, issue_number, kind, mentions)
    select workspace_id, kind_group(kind, issue_number), counted_kind(feedback_kind, issue_number, reason), sum(one) from (
      select workspace_id, kind, issue_number, feedback_kind, reason, 1 as one from made
      union all select workspace_id, kind, issue_number, feedback_kind, reason, -1 from gone
    ) changed
    where feedback_kind is not null group by 1, 2, 3 having sum(one) <> 0;
  end if;
  return null;
end $$;
create trigger kinds_made after insert on statement referencing new table as made
  for each statement execute function note_kinds();
create trigger kinds_changed after update on statement referencing old table as gone new table as made
  for each statement execute function note_kinds();
create trigger kinds_gone after delete on statement referencing old table as gone
  for each statement execute function note_kinds();

-- The kind of most mentions, and how many are praise or small talk: an insight of which more than half is so is not pushed automatically.
alter table insight
  add column main_kind text,
  add column chatter_count integer not null default 0;

grant select, insert, update, delete on kind_correction, kind_count, kind_change to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['kind_correction', 'kind_count', 'kind_change'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  execute format('create policy owner_lists on kind_correction for select to %I using (true)', current_user);
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
    union select workspace_id from kind_correction where waiting
    union select workspace_id from engine_state where kinds_after is not null
  $$;
