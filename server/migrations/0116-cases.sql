-- An owner's consent that the corrections of a workspace are used as labelled cases (docs/decisions/0112-cases-from-corrections.md). The cases themselves
-- are not stored: they are made of the corrections and messages when they are needed, and there are none without this row.
create table case_consent (
  workspace_id uuid primary key references workspace on delete cascade,
  given_by text not null,
  given_at timestamptz not null
);

grant select, insert, update, delete on case_consent to groundswell_app;
alter table case_consent enable row level security;
alter table case_consent force row level security;
create policy tenant on case_consent using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
