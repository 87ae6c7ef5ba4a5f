-- A review also names parts of an insight, which become insights of their own, and insights that are the same problem (docs/decisions/0094-review.md).

-- Strangers of one insight with the same part are about one other thing. whole: the insight was merged into the other one, with all that was in it.
alter table model_move add column part smallint, add column whole boolean not null default false;

-- same: the insights that the review said are the same problem. Two are merged when the reviews of both say so; merge_into: the next grouping
-- merges this insight into that one, which counts towards what later reviews may move in a day if merge_later.
alter table model_review add column same integer[] not null default '{}', add column merge_into integer,
  add column merge_later boolean not null default false;
create index model_review_merging on model_review (workspace_id) where merge_into is not null;

create or replace function workspaces_to_group() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from feedback_item where grouped_seq is null
    union select workspace_id from forgotten_item
    union select workspace_id from correction where state = 'waiting' or undoing
    union select workspace_id from model_join where state = 'waiting'
    union select workspace_id from model_move where state = 'waiting'
    union select workspace_id from model_review where merge_into is not null
    union select workspace_id from insight where removed_in_engine <> (deleted_at is not null)
    union select workspace_id from emerging_insight where dismissed_in_engine <> (dismissed_at is not null)
    union select workspace_id from late_vector
    union select workspace_id from kind_correction where waiting
    union select workspace_id from engine_state where kinds_after is not null
  $$;
