-- Until when a provider asked not to be sent requests, so that every process waits (docs/decisions/0036-shared-pauses.md).
create table request_pause (
  workspace_id uuid not null,
  connection_id uuid not null,
  -- What the pause is about: '' for everything, else a name of the connector's own, such as a method.
  scope text not null,
  until timestamptz not null,
  primary key (workspace_id, connection_id, scope),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);

grant select, insert, update, delete on request_pause to groundswell_app;
alter table request_pause enable row level security;
alter table request_pause force row level security;
create policy tenant on request_pause
  using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
