-- Who works on an insight, comments on it, and the mails about both (docs/decisions/0074-assignment-and-comments.md).
alter table member
  -- Whether the person gets mails about what is assigned to them and where they are mentioned.
  add column mails_about_me boolean not null default true;

alter table insight
  add column assigned_to uuid,
  add constraint insight_assigned_to foreign key (workspace_id, assigned_to) references member;
create index insight_assigned on insight (workspace_id, assigned_to) where assigned_to is not null;
create index insight_merged on insight (workspace_id, merged_into) where merged_into is not null;

alter table insight_event drop constraint insight_event_event_check;
alter table insight_event add constraint insight_event_event_check check (event in ('renamed', 'status', 'merged', 'absorbed',
  'ended', 'deleted', 'restored', 'tagged', 'moved_out', 'moved_in', 'split_off', 'split_from', 'rejected', 'locked', 'unlocked',
  'undone', 'item_gone', 'team_status', 'assigned'));

-- Adds each change to the history. `by`: the person, where the transaction names one; `from`, `to`: accounts.
create function note_assignment() returns trigger language plpgsql as $$
begin
  insert into insight_event (workspace_id, issue_number, event, detail)
  values (new.workspace_id, new.issue_number, 'assigned', jsonb_strip_nulls(jsonb_build_object(
    'by', nullif(current_setting('groundswell.person', true), ''), 'from', old.assigned_to, 'to', new.assigned_to)));
  return null;
end $$;
create trigger changed_assignment after update of assigned_to on insight for each row
  when (old.assigned_to is distinct from new.assigned_to) execute function note_assignment();

-- Work that is assigned to a person who leaves, or becomes a viewer, is nobody's from then on, whichever way it happens. Lists show it.
create function unassign_member() returns trigger language plpgsql as $$
declare raised bigint;
begin
  if exists (select from insight where workspace_id = old.workspace_id and assigned_to = old.account_id) then
    update workspace set revision = revision + 1 where workspace_id = old.workspace_id returning revision into raised;
    update insight set assigned_to = null, revision = coalesce(raised, revision)
    where workspace_id = old.workspace_id and assigned_to = old.account_id;
    if raised is not null then
      perform pg_notify('revision', old.workspace_id || ':' || raised);
    end if;
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;
create trigger unassign_who_leaves before delete on member for each row execute function unassign_member();
create trigger unassign_viewer before update of role on member for each row
  when (new.role = 'viewer') execute function unassign_member();

-- Comments of the team on an insight. Those of one that was merged are shown with the one that it was merged into.
create table insight_comment (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  issue_number integer not null,
  -- Null: the account was deleted.
  account_id uuid references account on delete set null,
  text text not null check (length(text) <= 5000),
  -- The accounts that it mentions.
  mentions uuid[] not null default '{}',
  written_at timestamptz not null,
  edited_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, issue_number) references insight on delete cascade
);
create index insight_comment_place on insight_comment (workspace_id, issue_number, written_at, id);
create index insight_comment_account on insight_comment (account_id);

-- What a person gets a mail about. `mail_id`: the mail that says so; null: none yet.
create table notice_item (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  kind text not null check (kind in ('assigned', 'mentioned')),
  issue_number integer not null,
  -- Where the person is mentioned.
  comment_id uuid,
  -- The account that assigned it, or wrote the comment.
  made_by uuid not null,
  found_at timestamptz not null,
  mail_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references member on delete cascade
);
create index notice_item_person on notice_item (workspace_id, account_id, found_at);

alter table digest_mail drop constraint digest_mail_kind_check;
alter table digest_mail add constraint digest_mail_kind_check check (kind in ('digest', 'alert', 'notice'));

grant select, insert, update, delete on insight_comment, notice_item to groundswell_app;

do $$
declare t text;
begin
  foreach t in array array['insight_comment', 'notice_item'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (workspace_id = nullif(current_setting(''groundswell.workspace'', true), '''')::uuid)', t);
  end loop;
end $$;
