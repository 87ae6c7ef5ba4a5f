-- Themes: insights about one thing. What the engine found is stored beside what people decided, so that undoing needs no memory.

create table theme (
  workspace_id uuid not null references workspace on delete cascade,
  id integer not null,
  -- As the engine names it; '' for one that a person made.
  name text not null,
  person_name text,
  by_person boolean not null default false,
  -- A person removed it: its insights stay in it, and it is not shown.
  removed_at timestamptz,
  primary key (workspace_id, id)
);

create table insight_theme (
  workspace_id uuid not null,
  issue_number integer not null,
  -- Where the engine puts it; null for in no theme.
  engine_theme integer,
  -- A person decided: person_theme counts, null for in no theme.
  by_person boolean not null default false,
  person_theme integer,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade,
  foreign key (workspace_id, person_theme) references theme on delete cascade
);

-- The highest id of a theme so far: none is used again.
alter table engine_state add column last_theme integer not null default 0;

grant select, insert, update, delete on theme, insight_theme to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['theme', 'insight_theme'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
