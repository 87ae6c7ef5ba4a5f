-- An embedding model is known by what it answers, not by its name alone; and what it may use in a day is bounded.

-- What a model answered about a text that is always the same, packed as vectors are. One that answers otherwise later is another
-- model behind the same name, with a space of its own: its vectors are not compared with those before.
create table embedding_model (
  space text primary key,
  -- Provider and model as they are set up.
  name text not null,
  probe bytea not null,
  -- Whether it answers like this now, and since when.
  current boolean not null,
  since timestamptz not null
);
create unique index embedding_model_current on embedding_model (name) where current;

-- The tokens that the installation has used in a day, with what the calls that run now may use at most.
create table embedding_budget (
  day date primary key,
  tokens bigint not null default 0,
  -- The budget that a call did not fit into; null: all did.
  spent_at bigint
);

grant select, insert, update, delete on embedding_model, embedding_budget to groundswell_app;
