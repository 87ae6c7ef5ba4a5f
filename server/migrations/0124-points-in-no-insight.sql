-- What a mention in no insight is read as can be corrected too: docs/decisions/0125-points-in-no-insight.md.
alter table correction drop constraint correction_insight_check;
alter table correction add constraint correction_insight_check
  check (issue_number is not null or kind in ('create', 'point')) not valid;
