-- The values of messages' attributes by which insights and reports are filtered (docs/decisions/0099-attributes.md).
create table attribute_value (
  workspace_id uuid not null references workspace on delete cascade,
  id integer not null,
  -- As it was first written, and for comparison.
  name text not null,
  name_key text not null,
  -- Null, with an empty key: one of the further values of a name that has too many.
  value text,
  value_key text not null,
  primary key (workspace_id, id)
);
create unique index attribute_value_key on attribute_value (workspace_id, name_key, value_key);

-- The values of a grouped message; no row: it has none. As feedback_customer, beside feedback_item and without foreign keys.
create table feedback_attribute (
  workspace_id uuid not null,
  item_id bigint not null,
  value_ids integer[] not null,
  primary key (workspace_id, item_id)
);

-- How many messages have a value.
create table attribute_total (
  workspace_id uuid not null,
  value_id integer not null,
  messages integer not null,
  primary key (workspace_id, value_id)
);

-- Mentions of an insight by messages that have a value.
create table insight_attribute (
  workspace_id uuid not null,
  issue_number integer not null,
  value_id integer not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, value_id)
);
create index insight_attribute_of on insight_attribute (workspace_id, value_id);

-- What changed since these were last brought up to date, as in customer_change. No insight: so many messages more or fewer have the value.
create table attribute_change (
  workspace_id uuid not null,
  issue_number integer,
  value_id integer not null,
  amount integer not null
);
create index attribute_change_of_insight on attribute_change (workspace_id, issue_number);

grant select, insert, update, delete on attribute_value, feedback_attribute, attribute_total, insight_attribute, attribute_change
  to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['attribute_value', 'feedback_attribute', 'attribute_total', 'insight_attribute', 'attribute_change'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  -- Messages also go with their workspace, when no transaction is of it.
  foreach t in array array['feedback_attribute', 'attribute_change'] loop
    execute format('create policy owner_follows on %I to %I using (true) with check (true)', t, current_user);
  end loop;
end $$;

-- The messages that there are: the sweep that finds their customers also reads their attributes.
alter table customer_fill no force row level security;
insert into customer_fill (workspace_id) select all_workspace_ids() on conflict (workspace_id) do update set after_id = 0;
alter table customer_fill force row level security;

create or replace function workspaces_to_find_customers() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from customer_fill
    union select workspace_id from customer_due
    union select workspace_id from customer_change
    union select workspace_id from attribute_change
  $$;

-- As note_customers.
create function note_attributes() returns trigger language plpgsql set search_path = public, pg_temp
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

-- As note_customers_of_messages, and the number of messages.
create function note_attributes_of_messages() returns trigger language plpgsql set search_path = public, pg_temp
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

create trigger added_attributes after insert on feedback_attribute referencing new table as after
  for each statement execute function note_attributes_of_messages();
create trigger removed_attributes after delete on feedback_attribute referencing old table as before
  for each statement execute function note_attributes_of_messages();
create trigger changed_attributes after update on feedback_attribute referencing old table as before new table as after
  for each statement execute function note_attributes_of_messages();

-- As forget_customers.
create function forget_attributes() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    execute 'delete from feedback_attribute using removed
      where feedback_attribute.workspace_id = removed.workspace_id and feedback_attribute.item_id = removed.id';
    return null;
  end $$;

-- Last, since writing waits for it: these only change the catalog.
create trigger added_mentions_by_attribute after insert on statement referencing new table as after
  for each statement execute function note_attributes();
create trigger removed_mentions_by_attribute after delete on statement referencing old table as before
  for each statement execute function note_attributes();
create trigger moved_mentions_by_attribute after update on statement referencing old table as before new table as after
  for each statement execute function note_attributes();
create trigger deleted_message_of_attributes after delete on feedback_item referencing old table as removed
  for each statement execute function forget_attributes();
