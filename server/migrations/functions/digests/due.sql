-- Owner: server/features/digests. Test: server/platform/sweep/sweep.test.ts.

-- Workspaces with a digest or an alert to send.
create or replace function workspaces_with_due_mail(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from digest_choice where next_at <= at
    union select workspace_id from digest_mail where due_at <= at
  $$;
revoke all on function workspaces_with_due_mail(timestamptz) from public;
grant execute on function workspaces_with_due_mail(timestamptz) to groundswell_app;

-- Workspaces with a post to send to a channel.
create or replace function workspaces_with_due_post(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from post_channel where next_at <= at
    union select workspace_id from post where due_at <= at
  $$;
revoke all on function workspaces_with_due_post(timestamptz) from public;
grant execute on function workspaces_with_due_post(timestamptz) to groundswell_app;

-- Workspaces whose channels get alerts, where something changed since the last sweep.
create or replace function workspaces_to_alert_channels(of_sweep text, at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id
    from (select distinct workspace_id from post_channel where alerts_since is not null) alerted
    join workspace w on w.workspace_id = alerted.workspace_id
    left join engine_state e on e.workspace_id = w.workspace_id
    left join sweep_mark m on m.workspace_id = w.workspace_id and m.sweep = of_sweep
    where m.workspace_id is null or m.revision <> w.revision or m.group_version <> coalesce(e.head, 0) or m.again_at <= at
  $$;
revoke all on function workspaces_to_alert_channels(text,timestamptz) from public;
grant execute on function workspaces_to_alert_channels(text,timestamptz) to groundswell_app;

-- Workspaces with people who get alerts, where something changed since the last sweep.
create or replace function workspaces_to_alert_people(of_sweep text, at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.workspace_id
    from (select distinct workspace_id from digest_choice where alerts_since is not null) alerted
    join workspace w on w.workspace_id = alerted.workspace_id
    left join engine_state e on e.workspace_id = w.workspace_id
    left join sweep_mark m on m.workspace_id = w.workspace_id and m.sweep = of_sweep
    where m.workspace_id is null or m.revision <> w.revision or m.group_version <> coalesce(e.head, 0) or m.again_at <= at
  $$;
revoke all on function workspaces_to_alert_people(text,timestamptz) from public;
grant execute on function workspaces_to_alert_people(text,timestamptz) to groundswell_app;
