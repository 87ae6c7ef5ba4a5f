-- Events may arrive out of order. This is the newest stored state of each item that was recently edited or deleted at its provider: an
-- older one is not applied after it. `deleted` is final. Rows so old that no provider still sends events about them are removed.
create table item_version (
  workspace_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  -- When it was edited: microseconds since 1970, by the provider's clock. 0: never.
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

-- Syncs look up the first items of threads by time, and the other items of a thread by its id.
create index feedback_item_roots on feedback_item (workspace_id, connection_id, said_at) where thread = external_id;
create index feedback_item_replies on feedback_item (workspace_id, connection_id, thread) where thread <> external_id;

-- The stored items that the last page of a sync lacked, if they were too many to remove at once: that page was not stored.
alter table sync_state add column doubted text[] not null default '{}';
