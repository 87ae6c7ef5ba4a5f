-- Events may arrive out of order. For each item that was edited or deleted at its provider lately, the newest state that was stored: an
-- older one is not applied after it. `deleted` is final. Rows are removed once no provider sends such old events any more.
create table item_version (
  workspace_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  -- Microseconds since 1970, by the provider's clock; 0: as it was first posted.
  version bigint not null default 0,
  deleted boolean not null default false,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, connection_id, external_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index item_version_stored on item_version (workspace_id, stored_at);
grant select, insert, update, delete on item_version to groundswell_app;
alter table item_version enable row level security;
alter table item_version force row level security;
create policy tenant on item_version using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

-- A sync asks which items of a connection are from a span of time.
create index feedback_item_said on feedback_item (workspace_id, connection_id, said_at);

-- The stored items that the last page of a sync lacked, if they were too many to remove at once: that page was not stored.
alter table sync_state add column doubted text[] not null default '{}';
