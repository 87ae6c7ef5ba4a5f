-- Vectors that are computed after their statements were grouped, insights that are emerging, and suggestions.

-- Messages whose vectors the next step of grouping has to read. `times` grows when vectors are stored again before that.
create table late_vector (
  workspace_id uuid not null,
  item_id bigint not null,
  times integer not null default 1,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);

grant select, insert, update, delete on late_vector to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['late_vector'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
  foreach t in array array['late_vector'] loop
    execute format('create policy owner_lists on %I for select to %I using (true)', t, current_user);
  end loop;
end $$;

create or replace function workspaces_to_group() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select workspace_id from feedback_item where grouped_seq is null
    union select workspace_id from forgotten_item
    union select workspace_id from correction where state = 'waiting' or undoing
    union select workspace_id from model_join where state = 'waiting'
    union select workspace_id from insight where removed_in_engine <> (deleted_at is not null)
    union select workspace_id from late_vector
  $$;
