-- Which workspaces a sweep checks for alerts: those that changed, among those in which somebody wants alerts.
create index post_channel_alerted on post_channel (workspace_id) where alerts_since is not null;
create index digest_choice_alerted on digest_choice (workspace_id) where alerts_since is not null;

create function workspaces_to_alert_channels(of_sweep text, at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id
    from (select distinct workspace_id from post_channel where alerts_since is not null) alerted
    join workspace w on w.workspace_id = alerted.workspace_id
    left join engine_state e on e.workspace_id = w.workspace_id
    left join sweep_mark m on m.workspace_id = w.workspace_id and m.sweep = of_sweep
    where m.workspace_id is null or m.revision <> w.revision or m.group_version <> coalesce(e.head, 0) or m.again_at <= at
  $$;

create function workspaces_to_alert_people(of_sweep text, at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id
    from (select distinct workspace_id from digest_choice where alerts_since is not null) alerted
    join workspace w on w.workspace_id = alerted.workspace_id
    left join engine_state e on e.workspace_id = w.workspace_id
    left join sweep_mark m on m.workspace_id = w.workspace_id and m.sweep = of_sweep
    where m.workspace_id is null or m.revision <> w.revision or m.group_version <> coalesce(e.head, 0) or m.again_at <= at
  $$;

revoke all on function workspaces_to_alert_channels(text, timestamptz), workspaces_to_alert_people(text, timestamptz) from public;
grant execute on function workspaces_to_alert_channels(text, timestamptz), workspaces_to_alert_people(text, timestamptz) to groundswell_app;
