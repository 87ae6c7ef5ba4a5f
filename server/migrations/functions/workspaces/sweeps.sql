-- Owner: server/platform/sweep. Test: server/platform/sweep/sweep.test.ts.

-- The state of a workspace that sweeps compare; no row when it is gone.
create or replace function workspace_position(of_workspace uuid, out revision bigint, out group_version bigint) returns setof record
  language sql stable set search_path = public, pg_temp
  as $$
    select w.revision, coalesce(e.head, 0)::bigint
    from workspace w left join engine_state e on e.workspace_id = w.workspace_id
    where w.workspace_id = of_workspace
  $$;

-- Workspaces that changed since a sweep found nothing to do in them.
create or replace function workspaces_changed_since_sweep(of_sweep text, by_rules text, at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id
    from workspace w
    left join engine_state e on e.workspace_id = w.workspace_id
    left join sweep_mark m on m.workspace_id = w.workspace_id and m.sweep = of_sweep
    where m.workspace_id is null or m.revision <> w.revision or m.group_version <> coalesce(e.head, 0)
      or m.rules <> by_rules or m.again_at <= at
  $$;
revoke all on function workspaces_changed_since_sweep(text,text,timestamptz) from public;
grant execute on function workspaces_changed_since_sweep(text,text,timestamptz) to groundswell_app;
