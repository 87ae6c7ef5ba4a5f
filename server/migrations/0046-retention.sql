-- How long a workspace keeps feedback, by the date of a message: of one source, or (connection_id null) of all that say nothing else.
create table feedback_retention (
  workspace_id uuid not null references workspace on delete cascade,
  connection_id uuid,
  days integer not null check (days between 1 and 36500),
  unique nulls not distinct (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- Messages of people who asked to be forgotten. They are not stored again when their source is read again. Only a digest of their id is kept.
create table erased_message (
  workspace_id uuid not null,
  connection_id uuid not null,
  id_digest bytea not null,
  erased_at timestamptz not null,
  primary key (workspace_id, connection_id, id_digest),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

-- Not beginning with workspace_id: before there are statistics, checks of foreign keys to feedback_item would choose it instead of the primary key.
create index feedback_item_said on feedback_item (connection_id, said_at);

grant select, insert, update, delete on feedback_retention, erased_message to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['feedback_retention', 'erased_message'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  execute format('create policy owner_lists on feedback_retention for select to %I using (true)', current_user);
end $$;

-- Workspaces with feedback older than they keep it.
create function workspaces_to_expire(at timestamptz) returns setof uuid
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
