-- False: the source gave no date that could be read, and `said_at` is when the item was imported or arrived.
alter table feedback_item add column date_known boolean not null default true;
alter table replaced_text add column date_known boolean not null default true;
-- Rows of the file read so far whose date is not known.
alter table import add column undated integer not null default 0;
