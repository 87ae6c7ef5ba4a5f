-- Owner: server/features/insights. Test: server/features/insights/grouping/counts.test.ts.

-- The mentions go before their message, while it still says who made them, and what they were when they went is what is remembered.
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
create or replace trigger deleted_item before delete on feedback_item for each row execute function remember_deleted_item();
