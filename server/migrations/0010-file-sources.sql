-- Files as sources: each new file is a source of its own, rows keep their identity within it, text that an import replaced is
-- kept, and imports can be deleted.

-- A workspace may have several file sources, told apart by name. All other connectors have one live connection, without a name.
alter table connection add column name text not null default '';
drop index connection_live;
create unique index connection_live on connection (workspace_id, connector, name) where disconnected_at is null;

alter table import
  -- Null until the whole file is stored: only then is it known whether the same file was imported before.
  alter column connection_id drop not null,
  -- SHA-256 of the file and of its first 256 KiB, in hex; null: imported before these were kept.
  add column file_hash text,
  add column head_hash text,
  -- What to do with stored text that a row would replace. Asked once the file was compared with its source.
  add column on_conflict text not null default 'ask' check (on_conflict in ('ask', 'replace', 'keep')),
  -- What the comparison found: how many texts would be replaced, and the first of them.
  add column asks jsonb,
  -- Rows whose text replaced a stored one, and rows with an id that stands in the file before.
  add column replaced integer not null default 0,
  add column repeated integer not null default 0,
  add column repeats jsonb not null default '[]',
  -- When its first row was read, by the database's clock.
  add column began_at timestamptz;
alter table import drop constraint import_state_check;
alter table import add constraint import_state_check
  check (state in ('waiting', 'running', 'asking', 'done', 'failed'));
create index import_of_file on import (workspace_id, connection_id, file_hash);

-- Which item each row of an import is, by the line where it begins. `added`: this import brought the item.
create table import_row (
  workspace_id uuid not null,
  import_id uuid not null,
  line integer not null,
  item_id bigint not null,
  added boolean not null,
  primary key (workspace_id, import_id, line),
  foreign key (workspace_id, import_id) references import on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index import_row_of_item on import_row (workspace_id, item_id);

-- An item as it was before an import replaced its text.
create table replaced_text (
  workspace_id uuid not null,
  import_id uuid not null,
  item_id bigint not null,
  replaced_at timestamptz not null default clock_timestamp(),
  external_id text not null,
  text text not null,
  author text,
  link text,
  thread text,
  place text,
  said_at timestamptz not null,
  primary key (workspace_id, import_id, item_id),
  foreign key (workspace_id, import_id) references import on delete cascade,
  foreign key (workspace_id, item_id) references feedback_item on delete cascade
);
create index replaced_text_of_item on replaced_text (workspace_id, item_id, replaced_at);

-- Mentions whose messages were deleted; it never falls, like `heard`. A delivery carries both as of its payload.
alter table insight add column lost integer not null default 0;
alter table delivery add column lost integer not null default 0;

-- Imports so far share one connection. Each becomes a source of its own, but for those that may hold rows of earlier ones: a
-- row that was known already belongs to an earlier import, and nothing says which. Ids of items stay.
alter table connection no force row level security;
alter table import no force row level security;
alter table feedback_item no force row level security;

do $$
declare
  shared record;
  one record;
  source uuid;
  first_name text;
  wanted text;
  tries integer;
begin
  for shared in
    select distinct c.workspace_id, c.id, c.connector from connection c
    join import on import.workspace_id = c.workspace_id and import.connection_id = c.id
    where c.disconnected_at is null
  loop
    create temporary table earlier_import on commit drop as
      select import.*, row_number() over (order by started_at, id) as place,
        added = 0 and exists (
          select from import before where before.workspace_id = import.workspace_id
            and before.connection_id = import.connection_id and before.name = import.name and before.bytes = import.bytes
            and (before.started_at, before.id) < (import.started_at, import.id)) as again
      from import where workspace_id = shared.workspace_id and connection_id = shared.id;

    select case when count(distinct name) = 1 then min(name) else 'Earlier imports' end into first_name
    from earlier_import
    where not again and place <= (
      select coalesce(max(place), 1) from earlier_import where known > 0 and not again and place > 1);
    update connection set name = left(first_name, 200) where workspace_id = shared.workspace_id and id = shared.id;

    for one in
      select * from earlier_import
      where place > (select coalesce(max(place), 1) from earlier_import where known > 0 and not again and place > 1)
      order by place
    loop
      if one.again then
        select import.connection_id into source from import
        where workspace_id = one.workspace_id and name = one.name and bytes = one.bytes and id <> one.id
          and (started_at, id) < (one.started_at, one.id)
        order by started_at, id limit 1;
      else
        tries := 1;
        wanted := left(one.name, 200);
        while exists (
          select from connection where workspace_id = shared.workspace_id and connector = shared.connector
            and name = wanted and disconnected_at is null)
        loop
          tries := tries + 1;
          wanted := left(one.name, 200) || ' (' || tries || ')';
        end loop;
        insert into connection (workspace_id, connector, name, created_at)
        values (shared.workspace_id, shared.connector, wanted, one.started_at) returning id into source;
        update feedback_item set connection_id = source
        where workspace_id = shared.workspace_id and connection_id = shared.id
          and id between one.first_item and one.last_item;
      end if;
      update import set connection_id = source where workspace_id = one.workspace_id and id = one.id;
    end loop;
    drop table earlier_import;
  end loop;
end $$;

-- Which lines the items of earlier imports stood in was not kept. Lines below zero stand for them: no file has such.
insert into import_row (workspace_id, import_id, line, item_id, added)
select import.workspace_id, import.id, -row_number() over (partition by import.workspace_id, import.id order by item.id),
  item.id, true
from import
join feedback_item item on item.workspace_id = import.workspace_id and item.connection_id = import.connection_id
  and item.id between import.first_item and import.last_item;

update import set began_at = started_at, on_conflict = 'replace';

alter table connection force row level security;
alter table import force row level security;
alter table feedback_item force row level security;

grant select, insert, update, delete on import_row, replaced_text to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['import_row', 'replaced_text'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
