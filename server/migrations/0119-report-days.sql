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
