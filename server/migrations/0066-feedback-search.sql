-- The words of every message, to search all feedback by words (docs/decisions/0067-search.md).

-- Messages are searched here, not in feedback_item: an index of that table would be built under a lock that stops imports, and row-level
-- security keeps the app from using an index by words, since the operator is not leakproof. Triggers keep it as feedback_item is: a foreign key would
-- be checked for each message of an import.
create table feedback_search (
  workspace_id uuid not null,
  item_id bigint not null,
  connection_id uuid not null,
  said_at timestamptz not null,
  words tsvector not null,
  primary key (workspace_id, item_id)
);
create index feedback_search_newest on feedback_search (workspace_id, said_at desc, item_id desc);
-- A search also reads what is pending in the index.
create index feedback_search_words on feedback_search using gin (words) with (gin_pending_list_limit = 1024);

-- Workspaces whose messages from before this table are not all in it, and how far they are.
create table search_fill (
  workspace_id uuid primary key references workspace on delete cascade,
  after_id bigint not null default 0
);
insert into search_fill (workspace_id) select all_workspace_ids();

grant select, insert, update, delete on feedback_search, search_fill to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['feedback_search', 'search_fill'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
  execute format('create policy owner_deletes on feedback_search for delete to %I using (true)', current_user);
end $$;

-- The words of a text as they are searched: in lower case, without punctuation, each behind the beginning of its workspace's id, so that a search
-- does not read the common words of others. A long message is searched by its first 20,000 characters. PostgreSQL replaces a call by this query.
create function search_lexemes(of_workspace uuid, of_text text) returns setof text
  language sql immutable parallel safe
  as $$
    select pg_catalog.left(of_workspace::text, 4) || pg_catalog.left(lexeme, 64)
    from pg_catalog.unnest(pg_catalog.to_tsvector('pg_catalog.simple'::regconfig,
      pg_catalog.regexp_replace(pg_catalog.left(of_text, 20000), '[][!-/:-@\\^_`{-~‘’“”„«»–—…·]+', ' ', 'g')))
  $$;

-- All of these words, and one that starts with each of `starting`; null when there is no word in either.
create function search_query(of_workspace uuid, words text, starting text) returns tsquery
  language sql immutable parallel safe
  as $$
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' || ending, ' & ')::tsquery
    from (
      select word as lexeme, '' as ending from search_lexemes(of_workspace, words) word
      union all select word, ':*' from search_lexemes(of_workspace, starting) word
    ) asked
  $$;

-- Up to `at_most` messages of the transaction's workspace with these words, in no order. A function of the tables' owner, for whom the
-- index can be used; only by that index.
create function feedback_with_words(query tsquery, said_from timestamptz, said_before timestamptz, at_most integer)
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

create function workspaces_to_fill_search() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select workspace_id from search_fill $$;

do $$
declare f regprocedure;
begin
  foreach f in array array['feedback_with_words(tsquery, timestamptz, timestamptz, integer)', 'workspaces_to_fill_search()']::regprocedure[]
  loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to groundswell_app', f);
  end loop;
end $$;

create function index_added_feedback() returns trigger language plpgsql as $$
begin
  insert into feedback_search (workspace_id, item_id, connection_id, said_at, words)
  select workspace_id, id, connection_id, said_at, array_to_tsvector(array(select word from search_lexemes(workspace_id, text) word)) from added
  on conflict (workspace_id, item_id) do update
  set connection_id = excluded.connection_id, said_at = excluded.said_at, words = excluded.words;
  return null;
end $$;

create function index_changed_feedback() returns trigger language plpgsql as $$
begin
  insert into feedback_search (workspace_id, item_id, connection_id, said_at, words)
  values (new.workspace_id, new.id, new.connection_id, new.said_at, array_to_tsvector(array(select word from search_lexemes(new.workspace_id, new.text) word)))
  on conflict (workspace_id, item_id) do update
  set connection_id = excluded.connection_id, said_at = excluded.said_at, words = excluded.words;
  return null;
end $$;

-- As the owner, so that the words of a deleted message go in every case. Planned for each statement, by its number of messages.
create function forget_deleted_feedback() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    execute 'delete from feedback_search using removed
      where feedback_search.workspace_id = removed.workspace_id and feedback_search.item_id = removed.id';
    return null;
  end $$;

-- Last, since writing waits for it: these only change the catalog.
create trigger added_feedback_words after insert on feedback_item referencing new table as added
  for each statement execute function index_added_feedback();
create trigger changed_feedback_words after update of text, said_at, connection_id on feedback_item for each row
  when ((old.text, old.said_at, old.connection_id) is distinct from (new.text, new.said_at, new.connection_id))
  execute function index_changed_feedback();
create trigger deleted_feedback_words after delete on feedback_item referencing old table as removed
  for each statement execute function forget_deleted_feedback();
