-- Owner: server/features/feedback. Test: server/platform/sweep/sweep.test.ts.

-- Imports whose job may be lost, uploads that never ended, and questions that nobody answered.
create or replace function workspaces_to_import(lost_before timestamptz, abandoned_before timestamptz, unanswered_before timestamptz)
  returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct workspace_id from import
    where (state in ('waiting', 'running', 'asking') or not (options ->> 'uploaded')::boolean)
      and ((state in ('waiting', 'running') and (options ->> 'uploaded')::boolean and started_at < lost_before)
        or (not (options ->> 'uploaded')::boolean and started_at < abandoned_before)
        or (state = 'asking' and started_at < unanswered_before))
  $$;
revoke all on function workspaces_to_import(timestamptz,timestamptz,timestamptz) from public;
grant execute on function workspaces_to_import(timestamptz,timestamptz,timestamptz) to groundswell_app;

-- Workspaces with feedback older than they keep it.
create or replace function workspaces_to_expire(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct w.workspace_id from (select workspace_id from feedback_retention group by workspace_id) w
    join connection c on c.workspace_id = w.workspace_id
    join lateral (
      select days from feedback_retention r where r.workspace_id = c.workspace_id and (r.connection_id = c.id or r.connection_id is null)
      order by r.connection_id nulls last limit 1
    ) kept on true
    where exists (
      select from feedback_item i
      where i.workspace_id = c.workspace_id and i.connection_id = c.id and i.said_at < at - kept.days * interval '1 day'
    ) or exists (
      select from context_message m
      where m.workspace_id = c.workspace_id and m.connection_id = c.id and m.said_at < at - kept.days * interval '1 day'
    )
  $$;
revoke all on function workspaces_to_expire(timestamptz) from public;
grant execute on function workspaces_to_expire(timestamptz) to groundswell_app;
