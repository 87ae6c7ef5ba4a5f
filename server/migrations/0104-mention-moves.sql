-- Which mentions an insight got and lost besides those that arrived (docs/decisions/0095-one-account-of-change.md).

-- How many mentions of a message an insight got (above 0) or lost. None is written when a message is grouped for the first time: from when on it counts
-- is `arrived_at`, when it was stored. `item_id` remains when the message is deleted, and then names nothing. 0: what changed in one millisecond was
-- nothing in the end.
create table mention_move (
  workspace_id uuid not null,
  issue_number integer not null,
  item_id bigint not null,
  at timestamptz not null,
  arrived_at timestamptz not null,
  mentions smallint not null,
  cause text not null check (cause in ('regrouped', 'edited', 'read', 'deleted', 'person', 'model')),
  primary key (workspace_id, issue_number, item_id, at)
);
create index mention_move_at on mention_move (workspace_id, at);

-- When the deleted message had arrived. Null: it was deleted by a process of an earlier version.
alter table forgotten_item add column stored_at timestamptz;

create or replace function remember_deleted_item() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from statement where workspace_id = old.workspace_id and item_id = old.id
    returning number, issue_number, emerging_number
  )
  insert into forgotten_item (workspace_id, item_id, numbers, issue_numbers, emerging_numbers, stored_at)
  select old.workspace_id, old.id, array_agg(number), coalesce(array_agg(issue_number) filter (where issue_number is not null), '{}'),
    coalesce(array_agg(emerging_number) filter (where emerging_number is not null), '{}'), old.stored_at
  from gone
  having count(*) > 0
  on conflict do nothing;
  delete from counted_author where workspace_id = old.workspace_id and item_id = old.id;
  return old;
end $$;

grant select, insert, update, delete on mention_move to groundswell_app;

do $$
begin
  alter table mention_move enable row level security;
  alter table mention_move force row level security;
  create policy tenant on mention_move using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
end $$;
