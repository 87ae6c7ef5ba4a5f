-- Owner: server/features/models. Test: server/platform/sweep/sweep.test.ts.

-- Insights and groups that a language model is to be asked about again.
create or replace function workspaces_to_ask_model_again(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from model_description where retry_at <= at
    union select workspace_id from model_look where retry_at <= at
    union select workspace_id from model_review where retry_at <= at
  $$;
revoke all on function workspaces_to_ask_model_again(timestamptz) from public;
grant execute on function workspaces_to_ask_model_again(timestamptz) to groundswell_app;
