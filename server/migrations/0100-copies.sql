-- Insights that are checked first are counted within hours. For that the owner writes to all workspaces.
alter table insight_total no force row level security;
update insight_total set checked_at = '2000-01-01';
alter table insight_total force row level security;

-- How many different texts the mentions of an insight are, and how many known authors they have (docs/decisions/0092-copies.md). Null: not counted
-- yet. `texts_of`: of how many mentions that was counted.
alter table insight
  add column text_count integer,
  add column author_count integer,
  add column texts_of integer;
