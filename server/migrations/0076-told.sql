-- Who of the people in an insight was told what became of it (docs/decisions/0072-digests.md).
create table told_person (
  workspace_id uuid not null references workspace on delete cascade,
  issue_number integer not null,
  -- As `person_of`: a digest, so that nobody is named here.
  person bytea not null,
  told_by text not null,
  told_at timestamptz not null,
  primary key (workspace_id, issue_number, person)
);

grant select, insert, update, delete on told_person to groundswell_app;
alter table told_person enable row level security;
alter table told_person force row level security;
create policy tenant on told_person using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
