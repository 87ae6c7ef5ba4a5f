-- Accounts: the first admin is remembered, an operator's metadata and invitations are kept, a code that is exchanged brings
-- the identity provider's tokens, and the audit log refuses to forget what is younger than the retention period.

alter table account
  -- What an operator's program keeps about an account (app_metadata of Supabase Auth), without the providers.
  add column app_metadata jsonb not null default '{}',
  add column invited_at timestamptz;

alter table flow_state
  -- The identity provider's own tokens, sealed, for the client that exchanges the code.
  add column sealed_provider_tokens text;

-- A row once the installation has had an admin, and from then on: the app can read it and cannot remove it. While there is
-- none, whoever proves to be at the machine becomes admin. A backup carries it along.
create table first_admin (at timestamptz not null default now());
grant select on first_admin to groundswell_app;

create function note_first_admin() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
    begin
      insert into first_admin (at) select now() where not exists (select from first_admin);
      return null;
    end
  $$;
revoke all on function note_first_admin() from public;
create trigger account_first_admin_insert after insert on account
  for each row when (new.is_admin) execute function note_first_admin();
create trigger account_first_admin_update after update of is_admin on account
  for each row when (new.is_admin) execute function note_first_admin();

-- Installations from before: one that has an admin, or shows in its audit log that it may have had one.
insert into first_admin (at)
  select now() where exists (select from account where is_admin)
    or exists (select from audit_event where action in ('admin.granted', 'admin.revoked', 'account.deleted'));

-- How long the audit log is kept, in days. Only the tables' owner changes it (AUDIT_DAYS, at each start).
create table audit_retention (
  days integer not null check (days > 0),
  only_one boolean primary key default true check (only_one)
);
insert into audit_retention (days) values (365);
grant select on audit_retention to groundswell_app;

-- The one way out of the audit log, for what is older than the retention period. The app chooses neither that period nor
-- the clock. An hour of difference between the two clocks is let pass, and shortened to the database's own time.
create or replace function forget_audit_events(older_than timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  as $$
    declare
      gone integer;
      newest timestamptz;
    begin
      select now() - make_interval(days => days) into strict newest from audit_retention;
      if older_than > newest + interval '1 hour' then
        raise exception 'audit entries younger than the retention period are kept' using errcode = 'insufficient_privilege';
      end if;
      delete from audit_event where at < least(older_than, newest);
      get diagnostics gone = row_count;
      return gone;
    end
  $$;
