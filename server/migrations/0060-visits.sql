-- What changed since a person's last visit, and when an insight was last updated (docs/decisions/0060-since-your-last-visit.md).

-- When somebody last looked at the insights of a workspace.
create table visit (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  -- The latest sign of the current visit.
  seen_at timestamptz not null,
  -- Messages that arrived until then were grouped, so that the person could see them.
  shown_until timestamptz not null,
  -- The same at the end of the visit before; null during the first.
  previous_until timestamptz,
  primary key (workspace_id, account_id)
);
create index visit_account on visit (account_id);

grant select, insert, update, delete on visit to groundswell_app;
alter table visit enable row level security;
alter table visit force row level security;
create policy tenant on visit using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

-- Rows are stored in the order of their arrival. Not a b-tree of (workspace_id, stored_at): before there are statistics, checks of foreign
-- keys to feedback_item choose that instead of the primary key, and an import takes minutes.
create index feedback_item_arrived on feedback_item using brin (stored_at) with (autosummarize = on);

-- When a person last changed an insight. `last_updated` is the later of this and the newest arrival of a mention.
alter table insight add column person_changed_at timestamptz;

-- Before, `last_updated` was when the engine last touched the row. Row-level security holds for the owner of the tables too.
alter table insight no force row level security;
alter table insight_event no force row level security;
alter table statement no force row level security;
alter table feedback_item no force row level security;
update insight set
  person_changed_at = changed.at,
  last_updated = coalesce(greatest(changed.at, arrived.at), insight.last_updated)
from insight one
left join (
  select workspace_id, issue_number, max(at) as at from insight_event
  where detail ? 'by' or event in ('tagged', 'restored') group by 1, 2
) changed using (workspace_id, issue_number)
left join (
  select s.workspace_id, s.issue_number, max(item.stored_at) as at
  from statement s join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
  where s.issue_number is not null group by 1, 2
) arrived using (workspace_id, issue_number)
where insight.workspace_id = one.workspace_id and insight.issue_number = one.issue_number;
alter table insight force row level security;
alter table insight_event force row level security;
alter table statement force row level security;
alter table feedback_item force row level security;

-- As before, but a new name is dated by itself: `last_updated` no longer moves when the engine finds one.
create or replace function note_insight_change() returns trigger language plpgsql as $$
declare
  who jsonb := jsonb_strip_nulls(jsonb_build_object('by', nullif(current_setting('groundswell.person', true), '')));
begin
  if new.name <> old.name then
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (new.workspace_id, new.issue_number, 'renamed', who || jsonb_build_object('from', old.name, 'to', new.name));
  end if;
  if new.status <> old.status then
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (new.workspace_id, new.issue_number, 'status', jsonb_build_object('from', old.status, 'to', new.status));
  end if;
  if old.ended_at is null and new.ended_at is not null then
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (new.workspace_id, new.issue_number, new.ended_at, case when new.merged_into is null then 'ended' else 'merged' end,
      who || jsonb_strip_nulls(jsonb_build_object('into', new.merged_into)));
    if new.merged_into is not null then
      insert into insight_event (workspace_id, issue_number, at, event, detail)
      values (new.workspace_id, new.merged_into, new.ended_at, 'absorbed',
        who || jsonb_build_object('from', new.issue_number, 'name', new.name));
    end if;
  end if;
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    insert into insight_event (workspace_id, issue_number, event)
    values (new.workspace_id, new.issue_number, case when new.deleted_at is null then 'restored' else 'deleted' end);
  end if;
  return null;
end $$;
