-- Language models as judges of evaluation runs (docs/decisions/0122-models-in-runs.md).

-- The names of the models that grade the run, at most two, and how often each is asked about an answer.
alter table evaluation_run
  add column judges jsonb not null default '[]',
  add column judge_repeats integer not null default 1;

-- Used by the judges.
alter table evaluation_grade add column tokens bigint not null default 0;
