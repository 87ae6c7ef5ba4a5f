-- People correct what a language model read in a message (docs/decisions/0102-points-by-people.md).

-- Whether a person corrected one of the points. It then has, beside `point`, what the model had read (`read`) and a hash of the mention's text
-- (`hash`): messages with the same words are read in the same way.
alter table model_reading add column corrected boolean not null default false;
create index model_reading_corrected on model_reading (workspace_id) where corrected;

-- A message that a person wants read has neither points nor a reason until it is.
alter table model_reading drop constraint model_reading_check;
alter table model_reading add constraint model_reading_check check (
  (points is null or unread is null) and (points is not null or unread is not null or again)) not valid;

alter table correction drop constraint correction_kind_check;
alter table correction add constraint correction_kind_check
  check (kind in ('merge', 'split', 'move', 'add', 'create', 'reject', 'decline', 'rename', 'lock', 'point')) not valid;

alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone', 'item_gone', 'team_status', 'assigned', 'reviewed_out', 'reviewed_in', 'point')) not valid;
