-- Owner: server/features/evaluation. Test: server/features/evaluation/runs/runs.test.ts.

-- A window that lost a message keeps its place, without what was answered and graded about it.
create or replace function empty_evaluation_window() returns trigger language plpgsql as $$
begin
  update evaluation_window set removed = true
    where workspace_id = old.workspace_id and run_id = old.run_id and number = old.window_number and not removed;
  if found then
    delete from evaluation_answer
      where workspace_id = old.workspace_id and run_id = old.run_id and window_number = old.window_number;
  end if;
  return null;
end $$;
create or replace trigger gone_from_window after delete on evaluation_message for each row execute function empty_evaluation_window();

-- A text that was edited is no longer what was answered.
create or replace function forget_evaluated() returns trigger language plpgsql as $$
begin
  delete from evaluation_message where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;
create or replace trigger edited_evaluated after update of text on feedback_item for each row
  when (old.text is distinct from new.text) execute function forget_evaluated();
