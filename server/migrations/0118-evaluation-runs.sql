-- Evaluation runs of a workspace (docs/decisions/0114-runs-of-a-workspace.md): generators answer windows of its feedback, and evaluators grade the answers.

create table evaluation_run (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  -- Names its comparison directory, and the sessions made of it.
  name text not null,
  -- As in a grid, docs/evaluation.md. The place of one in the list is the `generator` of the tables below.
  generators jsonb not null,
  -- How often each window is answered again.
  repeats integer not null,
  -- answered: all that could be. cancelled: by a person, before that; failed: see `reason`. Both can be resumed. graded: there are sessions.
  state text not null check (state in ('answering', 'answered', 'cancelled', 'failed', 'grading', 'graded')),
  reason text,
  started_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

-- The messages of one source in a range of time. Everything that repeats their text goes when one of them is deleted or edited: the window stays, empty.
create table evaluation_window (
  workspace_id uuid not null,
  run_id uuid not null,
  number integer not null,
  source_id text not null,
  datetime_from text not null,
  datetime_to text not null,
  removed boolean not null default false,
  primary key (workspace_id, run_id, number),
  foreign key (workspace_id, run_id) references evaluation_run on delete cascade
);

-- The messages of a window, in order. Their text is not copied.
create table evaluation_message (
  workspace_id uuid not null,
  run_id uuid not null,
  window_number integer not null,
  place integer not null,
  item_id bigint not null,
  primary key (workspace_id, run_id, window_number, place),
  foreign key (workspace_id, run_id, window_number) references evaluation_window on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index evaluation_message_item on evaluation_message (workspace_id, item_id);

-- What one generator answered to one window: {"answers": [{"responses", "members"}], "usage"?}, the first answer and its repeats.
create table evaluation_answer (
  workspace_id uuid not null,
  run_id uuid not null,
  window_number integer not null,
  generator integer not null,
  -- A hash of everything that the answer depends on: an equal one is not made again.
  key text not null,
  answer jsonb not null,
  -- Used by a language model.
  tokens bigint not null default 0,
  primary key (workspace_id, run_id, window_number, generator),
  foreign key (workspace_id, run_id, window_number) references evaluation_window on delete cascade
);
create index evaluation_answer_key on evaluation_answer (workspace_id, key);

-- How evaluators grade such an answer: {"evaluators", "page"}, the page as an eval session has it, without what the answer and the messages say.
create table evaluation_grade (
  workspace_id uuid not null,
  run_id uuid not null,
  window_number integer not null,
  generator integer not null,
  grade jsonb not null,
  primary key (workspace_id, run_id, window_number, generator),
  foreign key (workspace_id, run_id, window_number, generator) references evaluation_answer on delete cascade
);

grant select, insert, update, delete on
  evaluation_run, evaluation_window, evaluation_message, evaluation_answer, evaluation_grade to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['evaluation_run', 'evaluation_window', 'evaluation_message', 'evaluation_answer', 'evaluation_grade'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
