-- What a language model decided beside names: whether a message belongs to an insight that nearly took it, and which things
-- a long message says.

-- One question of the first kind, asked once: an edited message has another hash.
create table model_join (
  workspace_id uuid not null,
  item_id bigint not null,
  -- Of the mention's own words.
  text_hash text not null,
  issue_number integer not null,
  prompt_version text not null,
  -- Its number in the message; null: the message was read anew since.
  number smallint,
  score real not null,
  -- none: it was not shown to the model, or no answer was good enough.
  verdict text not null check (verdict in ('yes', 'no', 'none')),
  -- waiting: the next grouping carries it out. held: it was carried out, and holds until a person or a revision says otherwise.
  state text check (state in ('waiting', 'held')),
  model text not null,
  decided_at timestamptz not null,
  primary key (workspace_id, item_id, text_hash, issue_number, prompt_version),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  check (state is null or (verdict = 'yes' and number is not null))
);
create index model_join_open on model_join (workspace_id) where state = 'waiting';

-- The pieces that a long message was taken apart into, as offsets in UTF-16 units: start, end, start, end … Null: it stays as the
-- engine cuts it.
create table model_split (
  workspace_id uuid not null,
  item_id bigint not null,
  -- Of the message.
  text_hash text not null,
  pieces integer[],
  -- waiting: the next grouping reads the message with it. applied: so it is read since.
  state text check (state in ('waiting', 'applied')),
  model text not null,
  prompt_version text not null,
  decided_at timestamptz not null,
  primary key (workspace_id, item_id, text_hash),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  check (state is null or pieces is not null)
);

-- When a workspace was last looked through for such questions, so that it is not looked through again for nothing.
create table model_look (
  workspace_id uuid not null references workspace on delete cascade,
  task text not null check (task in ('joins', 'splits')),
  -- How the groups stood, and with which model and prompt.
  head bigint not null,
  made_with text not null,
  -- Looks in a row that ended early, and until when it is left alone for that.
  failures integer not null default 0,
  retry_at timestamptz,
  primary key (workspace_id, task)
);

grant select, insert, update, delete on model_join, model_split, model_look to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['model_join', 'model_split', 'model_look'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
