-- What a source's tile says besides its progress.

alter table sync_state
  -- Items that could not be read and are tried again, as `{items, more}` with noun, label, link and reason of each; null: none is known.
  add column set_aside jsonb,
  -- How many messages there were when a sync last read everything. Null: no sync has ended since this column exists.
  add column message_count integer,
  -- External ids of messages that consist of attachments only, at most 1,000.
  add column attachment_only text[] not null default '{}';
