-- Replies of the company's own people in imported files are context, like those of agents in connectors
-- (docs/decisions/0081-own-side-in-files.md).

alter table import
  -- How the own side is told in this file, `{by, authors}`: by a column (`role`) or by how authors write (`author`). Null: not decided yet.
  add column own_side jsonb,
  -- Authors of the rows that became context, at most 200.
  add column own_people jsonb not null default '[]',
  add column context integer not null default 0,
  -- Of these, rows that belong to no conversation: they are not stored.
  add column context_left_out integer not null default 0;

-- The last import that had it; null: from a connector.
alter table context_message add column import_id uuid;
