-- Scores that administrators give in place of those in an evaluation file (docs/decisions/0111-scores-by-people.md). A score belongs to a member, and
-- goes with the membership. The file itself is never changed.
create table eval_score (
  workspace_id uuid not null,
  account_id uuid not null,
  filename text not null,
  -- The evaluated response and the evaluator: their places in the file's lists, from 0.
  page integer not null,
  evaluator integer not null,
  score double precision not null,
  reason text not null,
  -- The score that the file had there; null: none.
  automatic double precision,
  scored_at timestamptz not null,
  primary key (workspace_id, account_id, filename, page, evaluator),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index eval_score_account on eval_score (account_id);

grant select, insert, update, delete on eval_score to groundswell_app;
alter table eval_score enable row level security;
alter table eval_score force row level security;
create policy tenant on eval_score using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
