-- The mentions behind the counts of a day, for reports in any time zone, by theme or tag, with filters, and for the insights behind a part
-- (docs/decisions/0124-report-mentions.md). A mention has a place among those of its UTC day.

-- What there is: a job counts it again. First, since what follows locks the counts.
insert into report_day_due (workspace_id) select all_workspace_ids();

-- Of the row with all mentions of the day: the insight of each place, as 4 bytes, and its minute of the day in UTC, as 2 bytes, 1440 where only the day is known.
-- Null: counted by an earlier version.
alter table report_day add column insights bytea, add column minutes bytea;
-- Of every other row: the places of its mentions, as 4 bytes.
alter table report_day add column places bytea;
-- They hardly become smaller, and are read often.
alter table report_day
  alter column insights set storage external, alter column minutes set storage external, alter column places set storage external;
