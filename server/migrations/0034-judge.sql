-- What a language model answered when it was asked which candidates say the same as a mention, or as an insight, and the emerging insights
-- that follow from its answers.

-- One pair of a mention and a candidate, asked about once: an edited message has another hash. No text is stored.
create table model_answer (
  workspace_id uuid not null,
  -- The mention, and its number in the message; null: the message was read anew since.
  item_id bigint not null,
  number smallint,
  text_hash text not null,
  -- The other: a mention, in the same way, or an insight, regular or emerging.
  other_item_id bigint,
  other_number smallint,
  other_hash text,
  issue_number integer,
  -- It was asked about the insight, with the mention as a candidate.
  asked_back boolean not null,
  score real not null,
  -- Null: it was not shown to the model, or no answer was good enough.
  yes boolean,
  -- The candidate was surely wrong.
  is_control boolean not null,
  model text not null,
  prompt_version text not null,
  answered_at timestamptz not null,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade,
  foreign key (workspace_id, other_item_id) references feedback_item on delete cascade,
  check ((other_item_id is null) <> (issue_number is null)),
  check ((other_item_id is null) = (other_hash is null))
);
create unique index model_answer_once on model_answer
  (workspace_id, item_id, text_hash, other_item_id, other_hash, issue_number, asked_back, prompt_version) nulls not distinct;
create index model_answer_of_other on model_answer (workspace_id, other_item_id) where other_item_id is not null;

-- An insight may be emerging, which has no row in insight.
alter table model_join drop constraint model_join_workspace_id_issue_number_fkey;
-- Mentions that found an emerging insight together: issue_number is 0 until the next grouping gives them one.
alter table model_join add column founding uuid;

grant select, insert, update, delete on model_answer to groundswell_app;
alter table model_answer enable row level security;
alter table model_answer force row level security;
create policy tenant on model_answer using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
