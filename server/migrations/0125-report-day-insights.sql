-- Which insight the mentions are in that made a day wait, so that the day can be read without looking into all insights
-- (docs/decisions/0127-days-that-wait.md). Null: noted by an earlier version; any insight may have other mentions than those stored.
alter table report_day_due add column issue_number integer;
