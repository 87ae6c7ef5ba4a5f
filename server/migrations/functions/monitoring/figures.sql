-- Owner: server/features/monitoring. Test: server/features/monitoring/monitoring.test.ts.

-- Figures over all workspaces for /metrics and doctor (docs/decisions/0056-metrics.md). Row-level security shows one workspace's rows only, so
-- that a function of the owner answers: with numbers, and no text, name or id.
create or replace function monitoring_figures() returns table (figure text, label text, value double precision)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    -- The first ungrouped item of each workspace, one look at the index for each workspace that has any.
    with recursive first_ungrouped as (
      (select workspace_id, stored_at from feedback_item where grouped_seq is null order by workspace_id, id limit 1)
      union all
      select next.workspace_id, next.stored_at
      from first_ungrouped f
      cross join lateral (
        select workspace_id, stored_at from feedback_item
        where grouped_seq is null and workspace_id > f.workspace_id order by workspace_id, id limit 1
      ) next
    )
    select 'ungrouped', '', coalesce(extract(epoch from now() - min(stored_at)), 0)::double precision from first_ungrouped
    union all
    select 'syncs', case
        when c.signed_out then 'signed out'
        when c.error is not null then 'failing'
        when s.waiting_until > now() then 'waiting'
        else s.status
      end, count(*)::double precision
    from sync_state s
    join connection c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    where c.disconnected_at is null
    group by 2
  $$;
revoke all on function monitoring_figures() from public;
grant execute on function monitoring_figures() to groundswell_app;
