-- The organisations behind people (docs/decisions/0069-customers.md).
create table customer (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- A domain, such as acme.com, or `name:` and a name in lower case.
  key text not null,
  name text not null,
  -- The name for comparison with what sources write.
  name_key text not null,
  -- A person listed it; otherwise it exists because of messages.
  listed boolean not null default false,
  plan text,
  revenue double precision check (revenue >= 0 and revenue <= 1e15),
  region text,
  -- Other columns of the list.
  attributes jsonb not null default '{}' check (length(attributes::text) <= 8000),
  -- Which of plan, revenue and region are from the list: messages do not replace them.
  listed_fields text[] not null default '{}',
  -- The date of the message that the others are from.
  told_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index customer_key on customer (workspace_id, key);
create index customer_listed_name on customer (workspace_id, name_key) where listed;

-- The customer behind a message; no row: it is not known. Beside feedback_item, which would be rewritten for it. Without foreign keys, which would
-- be checked for every message; triggers keep it as feedback_item is.
create table feedback_customer (
  workspace_id uuid not null,
  item_id bigint not null,
  customer_id uuid not null,
  primary key (workspace_id, item_id)
);
create index feedback_customer_of on feedback_customer (workspace_id, customer_id, item_id);

-- Messages whose author or attributes changed since they were grouped.
create table customer_due (
  workspace_id uuid not null,
  item_id bigint not null,
  primary key (workspace_id, item_id)
);

-- Workspaces whose grouped messages are all to be looked at, and how far that is.
create table customer_fill (
  workspace_id uuid primary key references workspace on delete cascade,
  after_id bigint not null default 0
);
insert into customer_fill (workspace_id) select all_workspace_ids();

-- Mentions of an insight by customer.
create table insight_customer (
  workspace_id uuid not null,
  issue_number integer not null,
  customer_id uuid not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, customer_id)
);
create index insight_customer_of on insight_customer (workspace_id, customer_id);

-- What changed since these were last brought up to date, as in mention_change. No mentions: the customer's revenue changed. No insight: a
-- customer lost a message, and may have none left.
create table customer_change (
  workspace_id uuid not null,
  issue_number integer,
  customer_id uuid not null,
  mentions integer not null
);
create index customer_change_of_insight on customer_change (workspace_id, issue_number);

alter table insight
  add column customer_count integer not null default 0,
  -- Of its customers together; null: of none it is known.
  add column revenue double precision;

-- Null: not known, of what an earlier version replaced.
alter table replaced_text add column attributes jsonb;

grant select, insert, update, delete on customer, feedback_customer, customer_due, customer_fill, insight_customer, customer_change
  to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['customer', 'feedback_customer', 'customer_due', 'customer_fill', 'insight_customer', 'customer_change'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  foreach t in array array['customer_due', 'customer_fill', 'customer_change'] loop
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
  -- Messages also go with their workspace, when no transaction is of it.
  foreach t in array array['feedback_customer', 'customer_change'] loop
    execute format('create policy owner_follows on %I to %I using (true) with check (true)', t, current_user);
  end loop;
end $$;

-- Workspaces in which messages wait for their customer, or counts of customers for a change.
create function workspaces_to_find_customers() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from customer_fill
    union select workspace_id from customer_due
    union select workspace_id from customer_change
  $$;
revoke all on function workspaces_to_find_customers() from public;
grant execute on function workspaces_to_find_customers() to groundswell_app;

-- As in note_mentions: a plan that was made for few rows has to serve for many.
create function note_customers() returns trigger language plpgsql set search_path = public, pg_temp
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

-- The mentions of messages whose customer is another one. Who writes to feedback_customer holds the lock of the groups and of the messages, so that
-- no mention moves or goes meanwhile.
create function note_customers_of_messages() returns trigger language plpgsql set search_path = public, pg_temp
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

create function note_revenue() returns trigger language plpgsql as $$
begin
  insert into customer_change (workspace_id, issue_number, customer_id, mentions)
  select workspace_id, issue_number, customer_id, 0 from insight_customer
  where workspace_id = new.workspace_id and customer_id = new.id;
  return null;
end $$;

create trigger added_customers after insert on feedback_customer referencing new table as after
  for each statement execute function note_customers_of_messages();
create trigger removed_customers after delete on feedback_customer referencing old table as before
  for each statement execute function note_customers_of_messages();
create trigger changed_customers after update on feedback_customer referencing old table as before new table as after
  for each statement execute function note_customers_of_messages();
create trigger changed_revenue after update of revenue on customer for each row
  when (old.revenue is distinct from new.revenue) execute function note_revenue();

create function note_customer_due() returns trigger language plpgsql as $$
begin
  insert into customer_due (workspace_id, item_id) values (new.workspace_id, new.id) on conflict do nothing;
  return null;
end $$;

-- As the owner, so that the customer of a deleted message goes in every case. Planned for each statement, by its number of messages.
create function forget_customers() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    execute 'delete from feedback_customer using removed
      where feedback_customer.workspace_id = removed.workspace_id and feedback_customer.item_id = removed.id';
    return null;
  end $$;

-- Last, since writing waits for it: these only change the catalog.
create trigger added_mentions_by_customer after insert on statement referencing new table as after
  for each statement execute function note_customers();
create trigger removed_mentions_by_customer after delete on statement referencing old table as before
  for each statement execute function note_customers();
create trigger moved_mentions_by_customer after update on statement referencing old table as before new table as after
  for each statement execute function note_customers();
create trigger changed_customer_of_message after update of author, attributes on feedback_item for each row
  when (new.grouped_seq is not null and (old.author, old.attributes) is distinct from (new.author, new.attributes))
  execute function note_customer_due();
create trigger deleted_message_of_customer after delete on feedback_item referencing old table as removed
  for each statement execute function forget_customers();
