-- What is in no insight can be looked through, and a person can make an insight of it or add it to one.
create index statement_ungrouped on statement (workspace_id, said_at desc, item_id desc, number desc)
  where issue_number is null;

-- An insight that a person makes has no number before the grouping that makes it.
alter table correction alter column issue_number drop not null;
alter table correction add constraint correction_insight_check check (issue_number is not null or kind = 'create');
alter table correction drop constraint correction_kind_check;
alter table correction add constraint correction_kind_check
  check (kind in ('merge', 'split', 'move', 'add', 'create', 'reject', 'rename', 'lock'));
