-- Embeddings by choice: vectors of what customers said, which model's a workspace groups with, and switching between them.

-- The model whose vectors a workspace groups with; no row: words alone.
create table embedding_choice (
  workspace_id uuid primary key references workspace on delete cascade,
  space text not null,
  chosen_at timestamptz not null
);

-- The vector of one statement: a scale (4 bytes) and a signed byte for each dimension; null: the model refuses this text. By the
-- hash of its text the same words are never asked about twice in a workspace. It goes with its message, and when that is edited.
create table statement_vector (
  workspace_id uuid not null,
  space text not null,
  item_id bigint not null,
  number smallint not null,
  text_hash bytea not null,
  vector bytea,
  primary key (workspace_id, space, item_id, number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
-- Vectors do not get smaller by packing.
alter table statement_vector alter column vector set storage external;
create index statement_vector_of_text on statement_vector (workspace_id, space, text_hash);
create index statement_vector_of_item on statement_vector (workspace_id, item_id);

create function forget_statement_vectors() returns trigger language plpgsql as $$
begin
  delete from statement_vector where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;
create trigger edited_item after update of text on feedback_item for each row
  when (old.text <> new.text) execute function forget_statement_vectors();

-- A switch to another model, or to words alone (to_space is empty): prepared, shown and applied or discarded.
create table embedding_switch (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null default gen_random_uuid(),
  to_space text not null,
  state text not null check (state in ('gathering', 'grouping', 'ready', 'applying', 'applied', 'discarded', 'failed'))
    default 'gathering',
  -- The head of the groups as of which the preview is, what it says, and a hash of all that it would change.
  as_of bigint,
  preview jsonb,
  plan_hash text,
  problem text,
  began_by text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create unique index embedding_switch_open on embedding_switch (workspace_id)
  where state in ('gathering', 'grouping', 'ready', 'applying');
create index embedding_switch_newest on embedding_switch (workspace_id, began_at desc);

-- What is wrong with the model, for operators; no row while nothing is. It is not asked before `paused_until`.
create table embedding_trouble (
  one boolean primary key default true check (one),
  what text not null,
  since timestamptz not null,
  paused_until timestamptz
);

grant select, insert, update, delete on embedding_choice, statement_vector, embedding_switch, embedding_trouble
  to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['embedding_choice', 'statement_vector', 'embedding_switch'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
