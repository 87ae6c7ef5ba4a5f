-- Owner: server/features/models. Test: server/features/models/tasks/readings/readings.test.ts.

-- What an edited message was read as is no longer true.
create or replace function forget_reading() returns trigger language plpgsql as $$
begin
  delete from model_reading where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;
create or replace trigger edited_reading after update of text on feedback_item for each row
  when (old.text is distinct from new.text) execute function forget_reading();
