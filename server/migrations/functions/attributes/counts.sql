-- Owner: server/features/insights. Test: server/features/insights/attributes/attributes.test.ts.

-- As note_customers.
create or replace function note_attributes() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op = 'INSERT' then
    insert into attribute_change (workspace_id, issue_number, value_id, amount)
    select workspace_id, issue_number, value_id, count(*)
    from after join feedback_attribute using (workspace_id, item_id), unnest(value_ids) value_id
    where issue_number is not null
    group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into attribute_change (workspace_id, issue_number, value_id, amount)
    select workspace_id, issue_number, value_id, -count(*)
    from before join feedback_attribute using (workspace_id, item_id), unnest(value_ids) value_id
    where issue_number is not null
    group by 1, 2, 3;
  else
    insert into attribute_change (workspace_id, issue_number, value_id, amount)
    select workspace_id, issue_number, value_id, sum(mentions)
    from (
      select workspace_id, item_id, issue_number, sum(mentions) as mentions from (
        select workspace_id, item_id, issue_number, -1 as mentions from before
        union all
        select workspace_id, item_id, issue_number, 1 from after
      ) both_states
      where issue_number is not null group by 1, 2, 3 having sum(mentions) <> 0
    ) change
    join feedback_attribute using (workspace_id, item_id), unnest(value_ids) value_id
    group by 1, 2, 3 having sum(mentions) <> 0;
  end if;
  return null;
end $$;
create or replace trigger added_mentions_by_attribute after insert on statement referencing new table as after
  for each statement execute function note_attributes();
create or replace trigger removed_mentions_by_attribute after delete on statement referencing old table as before
  for each statement execute function note_attributes();
create or replace trigger moved_mentions_by_attribute after update on statement referencing old table as before new table as after
  for each statement execute function note_attributes();

-- As note_customers_of_messages, and the number of messages.
create or replace function note_attributes_of_messages() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op <> 'INSERT' then
    insert into attribute_change (workspace_id, issue_number, value_id, amount)
    select workspace_id, issue_number, value_id, -count(*)
    from before join statement using (workspace_id, item_id), unnest(value_ids) value_id
    where issue_number is not null
    group by 1, 2, 3
    union all
    select workspace_id, null::integer, value_id, -count(*) from before, unnest(value_ids) value_id group by 1, 3;
  end if;
  if tg_op <> 'DELETE' then
    insert into attribute_change (workspace_id, issue_number, value_id, amount)
    select workspace_id, issue_number, value_id, count(*)
    from after join statement using (workspace_id, item_id), unnest(value_ids) value_id
    where issue_number is not null
    group by 1, 2, 3
    union all
    select workspace_id, null::integer, value_id, count(*) from after, unnest(value_ids) value_id group by 1, 3;
  end if;
  return null;
end $$;
create or replace trigger added_attributes after insert on feedback_attribute referencing new table as after
  for each statement execute function note_attributes_of_messages();
create or replace trigger removed_attributes after delete on feedback_attribute referencing old table as before
  for each statement execute function note_attributes_of_messages();
create or replace trigger changed_attributes after update on feedback_attribute referencing old table as before new table as after
  for each statement execute function note_attributes_of_messages();

-- As forget_customers.
create or replace function forget_attributes() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    execute 'delete from feedback_attribute using removed
      where feedback_attribute.workspace_id = removed.workspace_id and feedback_attribute.item_id = removed.id';
    return null;
  end $$;
create or replace trigger deleted_message_of_attributes after delete on feedback_item referencing old table as removed
  for each statement execute function forget_attributes();
