-- Owner: server/auth. Test: server/features/accounts/accounts.test.ts.

-- Remembers when the installation got its first administrator, also after that account is gone.
create or replace function note_first_admin() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
    begin
      insert into first_admin (at) select now() where not exists (select from first_admin);
      return null;
    end
  $$;
revoke all on function note_first_admin() from public;
create or replace trigger account_first_admin_insert after insert on account
  for each row when (new.is_admin) execute function note_first_admin();
create or replace trigger account_first_admin_update after update of is_admin on account
  for each row when (new.is_admin) execute function note_first_admin();
