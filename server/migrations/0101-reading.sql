-- What a language model read in messages (docs/decisions/0091-reading.md).

-- One reading of a message. It goes with the message, and when its text is edited.
create table model_reading (
  workspace_id uuid not null,
  item_id bigint not null,
  -- {"start", "end", "kind", "point"}, the offsets in UTF-16 units; an empty list: the message says nothing about the product.
  points jsonb,
  -- Why there is none. withheld: it addresses a model. length: it is too long. reply: no acceptable reply.
  unread text check (unread in ('withheld', 'length', 'reply')),
  -- waiting: the next grouping replaces the mentions by the points. applied: it has.
  state text check (state in ('waiting', 'applied')),
  -- A person wants it to be read again.
  again boolean not null default false,
  model text not null,
  prompt_version text not null,
  read_at timestamptz not null,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  check ((points is null) = (unread is not null)),
  check (state is null or points is not null)
);
create index model_reading_again on model_reading (workspace_id) where again;

-- Which messages of a workspace a language model reads. Without a row: none.
create table reading_choice (
  workspace_id uuid primary key references workspace on delete cascade,
  -- new: messages after `since_item`. all: the earlier ones too.
  scope text not null check (scope in ('new', 'all')),
  paused boolean not null default false,
  since_item bigint not null,
  -- Earlier messages up to this one may be unread; 0: none is.
  before_item bigint not null,
  chosen_by text not null,
  chosen_at timestamptz not null
);

-- The point that was read in a mention, and the kind that the reading gave it.
alter table statement add column point text, add column read_kind text;
alter table statement drop constraint statement_kind_by;
alter table statement add constraint statement_kind_by check (
  kind_by in ('role', 'teaching', 'language', 'model', 'person', 'reading')) not valid;
alter table model_look drop constraint model_look_task_check;
alter table model_look add constraint model_look_task_check check (task in ('joins', 'splits', 'readings')) not valid;

create function forget_reading() returns trigger language plpgsql as $$
begin
  delete from model_reading where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;
create trigger edited_reading after update of text on feedback_item for each row
  when (old.text is distinct from new.text) execute function forget_reading();

grant select, insert, update, delete on model_reading, reading_choice to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['model_reading', 'reading_choice'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
