-- Insights that a language model reviewed, and the mentions that it said are about something else (docs/decisions/0094-review.md).

-- Whether insights are reviewed where messages are read. An owner switches it on.
alter table reading_choice add column reviews boolean not null default false;

-- The last review of an insight. It is due again when the insight has grown by a quarter.
create table model_review (
  workspace_id uuid not null,
  issue_number integer not null,
  -- Of the insight, when it was asked about.
  mention_count integer not null,
  -- Why nothing came of it. reply: it was not believed. people: too little of it may be shown.
  refused text check (refused in ('reply', 'people')),
  model text not null,
  prompt_version text not null,
  tokens bigint not null default 0,
  -- Calls in a row that failed, and until when it is left alone for that.
  failures integer not null default 0,
  retry_at timestamptz,
  reviewed_at timestamptz not null,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);

-- A mention that a review takes out of an insight. It goes when the message is deleted or grouped anew, and when a person undoes it.
create table model_move (
  workspace_id uuid not null,
  item_id bigint not null,
  number smallint not null,
  from_number integer not null,
  -- The insight that it belongs to; 0: none.
  to_number integer not null,
  -- waiting: the next grouping carries it out. held: it has, and the mention is kept out since.
  state text not null check (state in ('waiting', 'held')),
  -- It was not the first review of the insight.
  later boolean not null,
  model text not null,
  prompt_version text not null,
  decided_at timestamptz not null,
  primary key (workspace_id, item_id, number, from_number),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index model_move_open on model_move (workspace_id) where state = 'waiting';
create index model_move_of on model_move (workspace_id, from_number);
create index model_move_into on model_move (workspace_id, to_number) where to_number > 0;

alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone', 'item_gone', 'team_status', 'assigned', 'reviewed_out', 'reviewed_in')) not valid;

grant select, insert, update, delete on model_review, model_move to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['model_review', 'model_move'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

create or replace function workspaces_to_group() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from feedback_item where grouped_seq is null
    union select workspace_id from forgotten_item
    union select workspace_id from correction where state = 'waiting' or undoing
    union select workspace_id from model_join where state = 'waiting'
    union select workspace_id from model_move where state = 'waiting'
    union select workspace_id from insight where removed_in_engine <> (deleted_at is not null)
    union select workspace_id from emerging_insight where dismissed_in_engine <> (dismissed_at is not null)
    union select workspace_id from late_vector
    union select workspace_id from kind_correction where waiting
    union select workspace_id from engine_state where kinds_after is not null
  $$;

create index model_review_retry on model_review (retry_at) where retry_at is not null;

create or replace function workspaces_to_ask_model_again(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from model_description where retry_at <= at
    union select workspace_id from model_look where retry_at <= at
    union select workspace_id from model_review where retry_at <= at
  $$;
