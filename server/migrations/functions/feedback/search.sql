-- Owner: server/features/feedback. Test: server/features/insights/search/search.test.ts.

-- Up to `at_most` messages of the transaction's workspace with these words, in no order. A function of the tables' owner, for whom the
-- index can be used; only by that index.
create or replace function feedback_with_words(query tsquery, said_from timestamptz, said_before timestamptz, at_most integer)
  returns table (item_id bigint, connection_id uuid, said_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_indexscan = off set jit = off
  as $$
    select f.item_id, f.connection_id, f.said_at
    from (select * from feedback_search where words @@ query offset 0) f
    where f.workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid
      and f.said_at >= coalesce(said_from, '-infinity') and f.said_at < coalesce(said_before, 'infinity')
    limit at_most
  $$;
revoke all on function feedback_with_words(tsquery,timestamptz,timestamptz,integer) from public;
grant execute on function feedback_with_words(tsquery,timestamptz,timestamptz,integer) to groundswell_app;

-- All messages of the transaction's workspace with these words that were said from one moment to another, both included, in no order. Planned for its
-- arguments: where many messages have the words, the index by time narrows them down before any is read.
create or replace function feedback_with_words_between(query tsquery, said_from timestamptz, said_until timestamptz)
  returns table (item_id bigint, connection_id uuid, said_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_indexscan = off set jit = off
  as $$
  begin
    return query execute
      'select f.item_id, f.connection_id, f.said_at from feedback_search f
      where f.words @@ $1 and f.workspace_id = $2 and f.said_at >= $3 and f.said_at <= $4'
      using query, nullif(current_setting('groundswell.workspace', true), '')::uuid, said_from, said_until;
  end $$;
revoke all on function feedback_with_words_between(tsquery,timestamptz,timestamptz) from public;
grant execute on function feedback_with_words_between(tsquery,timestamptz,timestamptz) to groundswell_app;

-- About how many messages have these words, by PostgreSQL's statistics, which costs no reading of the index (docs/decisions/0076-search-by-meaning.md).
-- The words carry the beginning of their workspace's id, so that others hardly count. A function of the table's owner, for whom the index and its
-- statistics can be used. Volatile, since EXPLAIN is refused otherwise.
create or replace function estimated_with_words(query tsquery) returns double precision
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  declare plan json;
  begin
    execute format('explain (format json) select from feedback_search where words @@ %L::tsquery', query::text) into plan;
    return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::double precision;
  end $$;
revoke all on function estimated_with_words(tsquery) from public;
grant execute on function estimated_with_words(tsquery) to groundswell_app;

-- Workspaces with messages whose words are not stored yet, or in an earlier way.
create or replace function workspaces_to_fill_search() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select workspace_id from search_fill union select workspace_id from search_renewal $$;
revoke all on function workspaces_to_fill_search() from public;
grant execute on function workspaces_to_fill_search() to groundswell_app;

-- Stores the words of new messages.
create or replace function index_added_feedback() returns trigger language plpgsql as $$
begin
  insert into feedback_search (workspace_id, item_id, connection_id, said_at, words)
  select workspace_id, id, connection_id, said_at, array_to_tsvector(array(select word from search_lexemes(workspace_id, text) word)) from added
  on conflict (workspace_id, item_id) do update
  set connection_id = excluded.connection_id, said_at = excluded.said_at, words = excluded.words;
  return null;
end $$;
create or replace trigger added_feedback_words after insert on feedback_item referencing new table as added
  for each statement execute function index_added_feedback();

-- Stores the words of a changed message again.
create or replace function index_changed_feedback() returns trigger language plpgsql as $$
begin
  insert into feedback_search (workspace_id, item_id, connection_id, said_at, words)
  values (new.workspace_id, new.id, new.connection_id, new.said_at, array_to_tsvector(array(select word from search_lexemes(new.workspace_id, new.text) word)))
  on conflict (workspace_id, item_id) do update
  set connection_id = excluded.connection_id, said_at = excluded.said_at, words = excluded.words;
  return null;
end $$;
create or replace trigger changed_feedback_words after update of text, said_at, connection_id on feedback_item for each row
  when ((old.text, old.said_at, old.connection_id) is distinct from (new.text, new.said_at, new.connection_id))
  execute function index_changed_feedback();

-- As the owner, so that the words of a deleted message go in every case. Planned for each statement, by its number of messages.
create or replace function forget_deleted_feedback() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    execute 'delete from feedback_search using removed
      where feedback_search.workspace_id = removed.workspace_id and feedback_search.item_id = removed.id';
    return null;
  end $$;
create or replace trigger deleted_feedback_words after delete on feedback_item referencing old table as removed
  for each statement execute function forget_deleted_feedback();
