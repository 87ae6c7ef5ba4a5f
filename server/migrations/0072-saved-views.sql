-- Filters, order and grouping of the table of insights under a name (docs/decisions/0070-shared-links.md). A view belongs to a member, and goes
-- with the membership.
create table saved_view (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  name text not null,
  query text not null,
  -- Whether the whole workspace sees it.
  shared boolean not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create unique index saved_view_name on saved_view (workspace_id, account_id, lower(name));
create index saved_view_account on saved_view (account_id);

grant select, insert, update, delete on saved_view to groundswell_app;
alter table saved_view enable row level security;
alter table saved_view force row level security;
create policy tenant on saved_view using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

-- A link may be to a view instead. Not a reference: a link to a view that is gone says so.
alter table shared_link add column view_id uuid;

-- Mentions of an insight by connection and UTC day, for reports: kept up to date like the counts of 0041-mention-counts.sql.
create table insight_source_day (
  workspace_id uuid not null,
  issue_number integer not null,
  connection_id uuid not null,
  day date not null,
  mentions integer not null,
  primary key (workspace_id, issue_number, connection_id, day)
);

-- The counts of what there is, without what waits to be added. For that the owner reads all workspaces.
alter table statement no force row level security;
alter table feedback_item no force row level security;
alter table mention_change no force row level security;
insert into insight_source_day (workspace_id, issue_number, connection_id, day, mentions)
select workspace_id, issue_number, connection_id, day, sum(mentions) from (
  select s.workspace_id, s.issue_number, item.connection_id, (s.said_at at time zone 'UTC')::date as day, 1 as mentions
  from statement s join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
  where s.issue_number is not null
  union all
  select workspace_id, issue_number, connection_id, day, -mentions from mention_change
  where connection_id is not null and day is not null
) counted
group by 1, 2, 3, 4 having sum(mentions) <> 0;
alter table statement force row level security;
alter table feedback_item force row level security;
alter table mention_change force row level security;

grant select, insert, update, delete on insight_source_day to groundswell_app;
alter table insight_source_day enable row level security;
alter table insight_source_day force row level security;
create policy tenant on insight_source_day
  using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
