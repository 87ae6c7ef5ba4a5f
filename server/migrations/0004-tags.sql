-- What the engine has read of an insight to set its tags: as of which revision, by which tags (a hash of their names and
-- descriptions), and when it last counted. An insight whose row is missing or behind waits to be tagged.
create table tag_check (
  workspace_id uuid not null,
  issue_number integer not null,
  revision bigint not null,
  tags text not null,
  counted_at timestamptz not null,
  primary key (workspace_id, issue_number),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);

grant select, insert, update, delete on tag_check to groundswell_app;
alter table tag_check enable row level security;
alter table tag_check force row level security;
create policy tenant on tag_check using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
