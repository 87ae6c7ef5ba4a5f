-- Mentions of a workspace by day and by what they and their customers are, for reports (docs/decisions/0121-report-days.md).

-- Of all insights, shown or not, by UTC day. `dimension`: kind, source, plan, region, revenue or attribute. `key`: empty where it is not known.
create table report_day (
  workspace_id uuid not null,
  dimension text not null,
  day date not null,
  key text not null,
  mentions integer not null,
  primary key (workspace_id, dimension, day, key)
);

-- Days to be counted again: a day, the days of all mentions by a customer, or, with neither, all days. Triggers only add rows, so that nothing waits
-- for a count.
create table report_day_due (
  workspace_id uuid not null,
  day date,
  customer_id uuid
);
create index report_day_due_day on report_day_due (workspace_id, day);

-- What there is: a job counts it.
insert into report_day_due (workspace_id) select all_workspace_ids();

grant select, insert, update, delete on report_day, report_day_due to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['report_day', 'report_day_due'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  -- Messages also go with their workspace, when no transaction is of it.
  execute format('create policy owner_follows on report_day_due to %I using (true) with check (true)', current_user);
end $$;

create function workspaces_to_count_days() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct workspace_id from report_day_due $$;
revoke all on function workspaces_to_count_days() from public;
grant execute on function workspaces_to_count_days() to groundswell_app;

create function note_report_days() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into report_day_due (workspace_id, day)
    select distinct workspace_id, (said_at at time zone 'UTC')::date from after where issue_number is not null;
  elsif tg_op = 'DELETE' then
    insert into report_day_due (workspace_id, day)
    select distinct workspace_id, (said_at at time zone 'UTC')::date from before where issue_number is not null;
  else
    insert into report_day_due (workspace_id, day)
    select distinct workspace_id, (said_at at time zone 'UTC')::date from (
      (
        select workspace_id, item_id, number, said_at, issue_number, feedback_kind, reason from before
        except select workspace_id, item_id, number, said_at, issue_number, feedback_kind, reason from after
      ) union all (
        select workspace_id, item_id, number, said_at, issue_number, feedback_kind, reason from after
        except select workspace_id, item_id, number, said_at, issue_number, feedback_kind, reason from before
      )
    ) changed
    where issue_number is not null;
  end if;
  return null;
end $$;

-- The mentions of messages whose customer or attributes are others. As in note_customers, a plan that was made for few rows has to serve for many.
create function note_report_days_of_messages() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op <> 'INSERT' then
    insert into report_day_due (workspace_id, day)
    select distinct workspace_id, (said_at at time zone 'UTC')::date
    from before join statement using (workspace_id, item_id) where issue_number is not null;
  end if;
  if tg_op <> 'DELETE' then
    insert into report_day_due (workspace_id, day)
    select distinct workspace_id, (said_at at time zone 'UTC')::date
    from after join statement using (workspace_id, item_id) where issue_number is not null;
  end if;
  return null;
end $$;

create function note_report_days_of_customer() returns trigger language plpgsql as $$
begin
  insert into report_day_due (workspace_id, customer_id) values (new.workspace_id, new.id);
  return null;
end $$;

create trigger changed_segment after update of plan, region, revenue on customer for each row
  when ((old.plan, old.region, old.revenue) is distinct from (new.plan, new.region, new.revenue))
  execute function note_report_days_of_customer();

-- Last, since writing waits for it: these only change the catalog.
create trigger added_customers_by_day after insert on feedback_customer referencing new table as after
  for each statement execute function note_report_days_of_messages();
create trigger removed_customers_by_day after delete on feedback_customer referencing old table as before
  for each statement execute function note_report_days_of_messages();
create trigger changed_customers_by_day after update on feedback_customer referencing old table as before new table as after
  for each statement execute function note_report_days_of_messages();
create trigger added_attributes_by_day after insert on feedback_attribute referencing new table as after
  for each statement execute function note_report_days_of_messages();
create trigger removed_attributes_by_day after delete on feedback_attribute referencing old table as before
  for each statement execute function note_report_days_of_messages();
create trigger changed_attributes_by_day after update on feedback_attribute referencing old table as before new table as after
  for each statement execute function note_report_days_of_messages();
create trigger added_mentions_by_day after insert on statement referencing new table as after
  for each statement execute function note_report_days();
create trigger removed_mentions_by_day after delete on statement referencing old table as before
  for each statement execute function note_report_days();
create trigger moved_mentions_by_day after update on statement referencing old table as before new table as after
  for each statement execute function note_report_days();
