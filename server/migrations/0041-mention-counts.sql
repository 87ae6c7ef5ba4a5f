-- Counts of mentions that are kept up to date, so that one more mention costs the same in an insight of ten and of a hundred
-- thousand: docs/decisions/0053-incremental-counts.md.

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

-- A message without an author counts as a person of its own.
create function person_of(author text, item_id bigint) returns bytea language sql stable
  as $$ select substring(sha256(convert_to(coalesce(author, item_id::text), 'UTF8')) from 1 for 16) $$;

-- Each statement that a trigger runs reads a set of any size by index: a plan that was made for few rows has to serve for many.
create function note_mentions() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op = 'INSERT' then
    insert into mention_change (workspace_id, issue_number, person, connection_id, day, mentions)
    select change.workspace_id, change.issue_number, coalesce(counted.person, person_of(item.author, item.id)),
      item.connection_id, change.day, sum(change.mentions)
    from (
      select workspace_id, item_id, issue_number, (said_at at time zone 'UTC')::date as day, count(*) as mentions
      from after where issue_number is not null group by 1, 2, 3, 4
    ) change
    join feedback_item item on item.workspace_id = change.workspace_id and item.id = change.item_id
    left join counted_author counted on counted.workspace_id = change.workspace_id and counted.item_id = change.item_id
    group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into mention_change (workspace_id, issue_number, person, connection_id, day, mentions)
    select change.workspace_id, change.issue_number, coalesce(counted.person, person_of(item.author, item.id)),
      item.connection_id, change.day, -sum(change.mentions)
    from (
      select workspace_id, item_id, issue_number, (said_at at time zone 'UTC')::date as day, count(*) as mentions
      from before where issue_number is not null group by 1, 2, 3, 4
    ) change
    join feedback_item item on item.workspace_id = change.workspace_id and item.id = change.item_id
    left join counted_author counted on counted.workspace_id = change.workspace_id and counted.item_id = change.item_id
    group by 1, 2, 3, 4, 5;
  else
    insert into mention_change (workspace_id, issue_number, person, connection_id, day, mentions)
    select change.workspace_id, change.issue_number, coalesce(counted.person, person_of(item.author, item.id)),
      item.connection_id, change.day, sum(change.mentions)
    from (
      select workspace_id, item_id, issue_number, day, sum(mentions) as mentions from (
        select workspace_id, item_id, issue_number, (said_at at time zone 'UTC')::date as day, -1 as mentions from before
        union all
        select workspace_id, item_id, issue_number, (said_at at time zone 'UTC')::date, 1 from after
      ) both_states
      where issue_number is not null group by 1, 2, 3, 4 having sum(mentions) <> 0
    ) change
    join feedback_item item on item.workspace_id = change.workspace_id and item.id = change.item_id
    left join counted_author counted on counted.workspace_id = change.workspace_id and counted.item_id = change.item_id
    group by 1, 2, 3, 4, 5;
  end if;
  return null;
end $$;

-- The mentions go before their message, while it still says who made them, and what they were when they went is what is remembered.
create or replace function remember_deleted_item() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from statement where workspace_id = old.workspace_id and item_id = old.id
    returning number, issue_number, emerging_number
  )
  insert into forgotten_item (workspace_id, item_id, numbers, issue_numbers, emerging_numbers)
  select old.workspace_id, old.id, array_agg(number), coalesce(array_agg(issue_number) filter (where issue_number is not null), '{}'),
    coalesce(array_agg(emerging_number) filter (where emerging_number is not null), '{}')
  from gone
  having count(*) > 0
  on conflict do nothing;
  delete from counted_author where workspace_id = old.workspace_id and item_id = old.id;
  return old;
end $$;

-- The row is locked until the author's change is committed: a count passes over it until then.
create function keep_counted_author() returns trigger language plpgsql as $$
begin
  insert into counted_author (workspace_id, item_id, person)
  select old.workspace_id, old.id, person_of(old.author, old.id)
  where exists (select from statement where workspace_id = old.workspace_id and item_id = old.id)
  on conflict (workspace_id, item_id) do update set person = counted_author.person;
  return null;
end $$;

-- The counts of what there is. For that the owner reads all workspaces.
alter table statement no force row level security;
alter table feedback_item no force row level security;

create temporary table counted_mention on commit drop as
  select s.workspace_id, s.issue_number, person_of(item.author, item.id) as person, item.connection_id,
    (s.said_at at time zone 'UTC')::date as day
  from statement s join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
  where s.issue_number is not null;
insert into insight_person select workspace_id, issue_number, person, count(*) from counted_mention group by 1, 2, 3;
insert into insight_source select workspace_id, issue_number, connection_id, count(*) from counted_mention group by 1, 2, 3;
insert into insight_day select workspace_id, issue_number, day, count(*) from counted_mention group by 1, 2, 3;
insert into insight_total (workspace_id, issue_number, mentions, people)
  select workspace_id, issue_number, sum(mentions), count(*) from insight_person group by 1, 2;

alter table statement force row level security;
alter table feedback_item force row level security;

create trigger added_mentions after insert on statement referencing new table as after
  for each statement execute function note_mentions();
create trigger removed_mentions after delete on statement referencing old table as before
  for each statement execute function note_mentions();
create trigger moved_mentions after update on statement referencing old table as before new table as after
  for each statement execute function note_mentions();
create trigger relabelled_item after update of author on feedback_item for each row
  when (old.author is distinct from new.author) execute function keep_counted_author();

grant select, insert, update, delete on mention_change, counted_author, insight_person, insight_source, insight_day,
  insight_total to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['mention_change', 'counted_author', 'insight_person', 'insight_source', 'insight_day', 'insight_total'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  execute format('create policy owner_lists on insight_total for select to %I using (true)', current_user);
end $$;

-- The workspaces of the counts that were checked longest ago, if that was before a time; those of so many counts.
create function workspaces_to_check_counts(checked_before timestamptz, counts integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct workspace_id from (
      select workspace_id from insight_total where checked_at < checked_before order by checked_at limit counts
    ) oldest
  $$;
revoke all on function workspaces_to_check_counts(timestamptz, integer) from public;
grant execute on function workspaces_to_check_counts(timestamptz, integer) to groundswell_app;
