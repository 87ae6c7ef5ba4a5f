-- A language model by choice: what it says of an insight, what that cost, and what is wrong with it.

-- What the model made of an insight. It is shown while `described_hash` is the hash of the engine's description, that is
-- while the group is what the model was told of.
create table model_description (
  workspace_id uuid not null,
  issue_number integer not null,
  described_hash text not null,
  -- How many mentions there were then: when there are many more, the model is asked again.
  mention_count integer not null,
  -- Null: no answer was good enough, or none came. The engine's stay.
  name text,
  summary text,
  -- Why there is no name, in a word.
  refused text,
  model text not null,
  prompt_version text not null,
  tokens bigint not null default 0,
  -- Calls that failed since the last answer, and until when it is left alone for that.
  failures integer not null default 0,
  retry_at timestamptz,
  made_at timestamptz not null,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  check ((name is null) = (summary is null))
);

-- What a workspace has used in a UTC day.
create table model_day (
  workspace_id uuid not null references workspace on delete cascade,
  day date not null,
  tokens bigint not null default 0,
  calls integer not null default 0,
  primary key (workspace_id, day)
);

-- The same of the whole installation, with what the calls that run now may use at most. A row of its own: it stays when
-- a workspace goes, and it is what calls wait for each other at.
create table model_budget (
  day date primary key,
  tokens bigint not null default 0
);

-- What is wrong with the model, for operators; no row while nothing is. No call is made before `paused_until`.
create table model_trouble (
  one boolean primary key default true check (one),
  what text not null,
  since timestamptz not null,
  paused_until timestamptz
);

grant select, insert, update, delete on model_description, model_day, model_budget, model_trouble to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['model_description', 'model_day'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
