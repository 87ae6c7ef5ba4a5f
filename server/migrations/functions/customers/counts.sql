-- Owner: server/features/insights. Test: server/features/insights/customers/customers.test.ts.

-- As in note_mentions: a plan that was made for few rows has to serve for many.
create or replace function note_customers() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op = 'INSERT' then
    insert into customer_change (workspace_id, issue_number, customer_id, mentions)
    select workspace_id, issue_number, customer_id, count(*)
    from after join feedback_customer using (workspace_id, item_id) where issue_number is not null
    group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into customer_change (workspace_id, issue_number, customer_id, mentions)
    select workspace_id, issue_number, customer_id, -count(*)
    from before join feedback_customer using (workspace_id, item_id) where issue_number is not null
    group by 1, 2, 3;
  else
    insert into customer_change (workspace_id, issue_number, customer_id, mentions)
    select workspace_id, issue_number, customer_id, sum(mentions)
    from (
      select workspace_id, item_id, issue_number, sum(mentions) as mentions from (
        select workspace_id, item_id, issue_number, -1 as mentions from before
        union all
        select workspace_id, item_id, issue_number, 1 from after
      ) both_states
      where issue_number is not null group by 1, 2, 3 having sum(mentions) <> 0
    ) change
    join feedback_customer using (workspace_id, item_id)
    group by 1, 2, 3 having sum(mentions) <> 0;
  end if;
  return null;
end $$;
create or replace trigger added_mentions_by_customer after insert on statement referencing new table as after
  for each statement execute function note_customers();
create or replace trigger removed_mentions_by_customer after delete on statement referencing old table as before
  for each statement execute function note_customers();
create or replace trigger moved_mentions_by_customer after update on statement referencing old table as before new table as after
  for each statement execute function note_customers();

-- The mentions of messages whose customer is another one. Who writes to feedback_customer holds the lock of the groups and of the messages, so that
-- no mention moves or goes meanwhile.
create or replace function note_customers_of_messages() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op <> 'INSERT' then
    insert into customer_change (workspace_id, issue_number, customer_id, mentions)
    select workspace_id, issue_number, customer_id, -count(*)
    from before join statement using (workspace_id, item_id) where issue_number is not null
    group by 1, 2, 3
    union all
    select workspace_id, null::integer, customer_id, 0 from before group by 1, 3;
  end if;
  if tg_op <> 'DELETE' then
    insert into customer_change (workspace_id, issue_number, customer_id, mentions)
    select workspace_id, issue_number, customer_id, count(*)
    from after join statement using (workspace_id, item_id) where issue_number is not null
    group by 1, 2, 3;
  end if;
  return null;
end $$;
create or replace trigger added_customers after insert on feedback_customer referencing new table as after
  for each statement execute function note_customers_of_messages();
create or replace trigger removed_customers after delete on feedback_customer referencing old table as before
  for each statement execute function note_customers_of_messages();
create or replace trigger changed_customers after update on feedback_customer referencing old table as before new table as after
  for each statement execute function note_customers_of_messages();

-- A customer with another revenue: its insights are counted again.
create or replace function note_revenue() returns trigger language plpgsql as $$
begin
  insert into customer_change (workspace_id, issue_number, customer_id, mentions)
  select workspace_id, issue_number, customer_id, 0 from insight_customer
  where workspace_id = new.workspace_id and customer_id = new.id;
  return null;
end $$;
create or replace trigger changed_revenue after update of revenue on customer for each row
  when (old.revenue is distinct from new.revenue) execute function note_revenue();
