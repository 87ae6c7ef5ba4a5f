-- Owner: server/features/insights. Test: server/features/insights/grouping/counts.test.ts.

-- A message without an author counts as a person of its own.
create or replace function person_of(author text, item_id bigint) returns bytea language sql stable
  as $$ select substring(sha256(convert_to(coalesce(author, item_id::text), 'UTF8')) from 1 for 16) $$;

-- Each statement that a trigger runs reads a set of any size by index: a plan that was made for few rows has to serve for many.
create or replace function note_mentions() returns trigger language plpgsql set search_path = public, pg_temp
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
create or replace trigger added_mentions after insert on statement referencing new table as after
  for each statement execute function note_mentions();
create or replace trigger removed_mentions after delete on statement referencing old table as before
  for each statement execute function note_mentions();
create or replace trigger moved_mentions after update on statement referencing old table as before new table as after
  for each statement execute function note_mentions();

-- The row is locked until the author's change is committed: a count passes over it until then.
create or replace function keep_counted_author() returns trigger language plpgsql as $$
begin
  insert into counted_author (workspace_id, item_id, person)
  select old.workspace_id, old.id, person_of(old.author, old.id)
  where exists (select from statement where workspace_id = old.workspace_id and item_id = old.id)
  on conflict (workspace_id, item_id) do update set person = counted_author.person;
  return null;
end $$;
create or replace trigger relabelled_item after update of author on feedback_item for each row
  when (old.author is distinct from new.author) execute function keep_counted_author();

-- The workspaces of the counts that were checked longest ago, if that was before a time; those of so many counts.
create or replace function workspaces_to_check_counts(checked_before timestamptz, counts integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct workspace_id from (
      select workspace_id from insight_total where checked_at < checked_before order by checked_at limit counts
    ) oldest
  $$;
revoke all on function workspaces_to_check_counts(timestamptz,integer) from public;
grant execute on function workspaces_to_check_counts(timestamptz,integer) to groundswell_app;
