-- Owner: server/features/insights. Test: server/features/insights/reports/days.test.ts.

create or replace function workspaces_to_count_days() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct workspace_id from report_day_due $$;
revoke all on function workspaces_to_count_days() from public;
grant execute on function workspaces_to_count_days() to groundswell_app;

-- The days of mentions that are others than before, and the insights that these are or were in.
create or replace function note_report_days() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into report_day_due (workspace_id, day, issue_number)
    select distinct workspace_id, (said_at at time zone 'UTC')::date, issue_number from after where issue_number is not null;
  elsif tg_op = 'DELETE' then
    insert into report_day_due (workspace_id, day, issue_number)
    select distinct workspace_id, (said_at at time zone 'UTC')::date, issue_number from before where issue_number is not null;
  else
    insert into report_day_due (workspace_id, day, issue_number)
    select distinct workspace_id, (said_at at time zone 'UTC')::date, issue_number from (
      (
        select workspace_id, item_id, number, said_at, date_only, issue_number, feedback_kind, reason from before
        except select workspace_id, item_id, number, said_at, date_only, issue_number, feedback_kind, reason from after
      ) union all (
        select workspace_id, item_id, number, said_at, date_only, issue_number, feedback_kind, reason from after
        except select workspace_id, item_id, number, said_at, date_only, issue_number, feedback_kind, reason from before
      )
    ) changed
    where issue_number is not null;
  end if;
  return null;
end $$;

-- The mentions of messages whose customer or attributes are others. As in note_customers, a plan that was made for few rows has to serve for many.
create or replace function note_report_days_of_messages() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
begin
  if tg_op <> 'INSERT' then
    insert into report_day_due (workspace_id, day, issue_number)
    select distinct workspace_id, (said_at at time zone 'UTC')::date, issue_number
    from before join statement using (workspace_id, item_id) where issue_number is not null;
  end if;
  if tg_op <> 'DELETE' then
    insert into report_day_due (workspace_id, day, issue_number)
    select distinct workspace_id, (said_at at time zone 'UTC')::date, issue_number
    from after join statement using (workspace_id, item_id) where issue_number is not null;
  end if;
  return null;
end $$;

create or replace function note_report_days_of_customer() returns trigger language plpgsql as $$
begin
  insert into report_day_due (workspace_id, customer_id) values (new.workspace_id, new.id);
  return null;
end $$;

create or replace trigger changed_segment after update of plan, region, revenue on customer for each row
  when ((old.plan, old.region, old.revenue) is distinct from (new.plan, new.region, new.revenue))
  execute function note_report_days_of_customer();

-- Last, since writing waits for it: these only change the catalog.
create or replace trigger added_customers_by_day after insert on feedback_customer referencing new table as after
  for each statement execute function note_report_days_of_messages();
create or replace trigger removed_customers_by_day after delete on feedback_customer referencing old table as before
  for each statement execute function note_report_days_of_messages();
create or replace trigger changed_customers_by_day after update on feedback_customer referencing old table as before new table as after
  for each statement execute function note_report_days_of_messages();
create or replace trigger added_attributes_by_day after insert on feedback_attribute referencing new table as after
  for each statement execute function note_report_days_of_messages();
create or replace trigger removed_attributes_by_day after delete on feedback_attribute referencing old table as before
  for each statement execute function note_report_days_of_messages();
create or replace trigger changed_attributes_by_day after update on feedback_attribute referencing old table as before new table as after
  for each statement execute function note_report_days_of_messages();
create or replace trigger added_mentions_by_day after insert on statement referencing new table as after
  for each statement execute function note_report_days();
create or replace trigger removed_mentions_by_day after delete on statement referencing old table as before
  for each statement execute function note_report_days();
create or replace trigger moved_mentions_by_day after update on statement referencing old table as before new table as after
  for each statement execute function note_report_days();
