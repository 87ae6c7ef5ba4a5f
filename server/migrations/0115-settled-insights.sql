-- Regrouping takes mentions out of insights that people settled only with a clear gain (docs/decisions/0106-settled-insights.md).

-- When a person first opened the insight; null: nobody did, or before this was noted.
alter table insight add column opened_at timestamptz;

alter table mention_move drop constraint mention_move_cause_check;
alter table mention_move add constraint mention_move_cause_check
  check (cause in ('regrouped', 'clearer', 'edited', 'read', 'deleted', 'person', 'model')) not valid;

-- The titles that were sent for an item, the last one last, whether or not it got them; empty: it was created before they were noted. `title`: what it
-- showed when it was last written.
alter table remote_item add column titles text[] not null default '{}';
alter table remote_item add column title text;

alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone', 'item_gone', 'item_renamed', 'team_status', 'assigned', 'reviewed_out', 'reviewed_in', 'point')) not valid;
