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
