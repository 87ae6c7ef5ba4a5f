-- True: the source gave a day without a time. `said_at` is then midnight UTC of that day, which is a day and no moment.
alter table feedback_item add column date_only boolean not null default false;
alter table replaced_text add column date_only boolean not null default false;
alter table context_message add column date_only boolean not null default false;
-- As that of its message, like `said_at`.
alter table statement add column date_only boolean not null default false;
-- The same of the first and of the last mention.
alter table insight
  add column first_date_only boolean not null default false,
  add column last_date_only boolean not null default false;

-- Whose days reports count by. Null: nobody has chosen one yet, and it is UTC; the first owner's browser chooses. Earlier workspaces stay at UTC.
alter table workspace add column time_zone text default 'UTC';
alter table workspace alter column time_zone drop default;
