-- Owner: server/features/embeddings. Test: server/features/embeddings/vectors.test.ts.

-- The vectors of an edited message are those of another text.
create or replace function forget_statement_vectors() returns trigger language plpgsql as $$
begin
  delete from statement_vector where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;
create or replace trigger edited_item after update of text on feedback_item for each row
  when (old.text <> new.text) execute function forget_statement_vectors();

-- Switches of the embedding model that are being prepared or applied.
create or replace function workspaces_switching_embeddings() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select workspace_id from embedding_switch where state in ('gathering', 'grouping', 'applying') $$;
revoke all on function workspaces_switching_embeddings() from public;
grant execute on function workspaces_switching_embeddings() to groundswell_app;

-- What any workspace groups with.
create or replace function embedding_spaces_in_use() returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct space from embedding_choice $$;
revoke all on function embedding_spaces_in_use() from public;
grant execute on function embedding_spaces_in_use() to groundswell_app;
