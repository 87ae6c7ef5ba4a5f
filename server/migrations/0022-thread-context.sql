-- What agents wrote in a customer's conversation: shown beside its mentions, and never grouped or counted
-- (docs/decisions/0035-agents-are-context.md). It is a table of its own, so that no query over feedback can count it by mistake.

create table context_message (
  workspace_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  thread text not null,
  text text not null,
  author text,
  link text,
  -- Names of attached files.
  attachments jsonb not null default '[]',
  said_at timestamptz not null,
  primary key (workspace_id, connection_id, external_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create index context_message_thread on context_message (workspace_id, connection_id, thread);

grant select, insert, update, delete on context_message to groundswell_app;
alter table context_message enable row level security;
alter table context_message force row level security;
create policy tenant on context_message
  using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

do $$
begin
  execute format('create policy owner_lists on context_message for select to %I using (true)', current_user);
end $$;

-- What the provider knows about an item besides its text, such as a ticket's subject, and the names of its attached files.
alter table feedback_item
  add column attributes jsonb not null default '{}',
  add column attachments jsonb not null default '[]';
create index feedback_item_thread on feedback_item (workspace_id, connection_id, thread) where thread is not null;
