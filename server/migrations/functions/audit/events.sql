-- Owner: server/features/audit. Test: server/features/audit/audit.test.ts.

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
revoke all on function forget_audit_events(timestamptz) from public;
grant execute on function forget_audit_events(timestamptz) to groundswell_app;

-- The workspace that an account was in first, in which its sign-ins are written down: known before anyone has signed in.
create or replace function home_workspace(of_account uuid) returns uuid
  language sql stable security definer set search_path = public
  as $$ select workspace_id from member where account_id = of_account order by created_at, workspace_id limit 1 $$;
revoke all on function home_workspace(uuid) from public;
grant execute on function home_workspace(uuid) to groundswell_app;
