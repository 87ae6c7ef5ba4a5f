-- Owner: server/features/insights. Test: server/platform/sweep/sweep.test.ts.

-- Workspaces with messages to group, corrections to apply or replies of a language model to use.
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
revoke all on function workspaces_to_group() from public;
grant execute on function workspaces_to_group() to groundswell_app;
