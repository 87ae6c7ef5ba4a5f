-- Owner: server/auth. Test: server/account-roles.test.ts.

-- The tables of the code that signs people in. Their rows belong to accounts, not to workspaces, so that row-level security cannot
-- protect them from a statement that someone injected: it could set whatever a policy reads. Rights do. The role groundswell_auth may use
-- these tables, and the app's role loses its rights as soon as the installation signs in as both: the owner does that after the migrations
-- (server/platform/db/account-tables.ts), so that processes of the earlier version can work until they are replaced.
create or replace function account_tables() returns table (name text, writable boolean)
  language sql immutable set search_path = public, pg_temp
  as $$ values
    ('account', true), ('api_key', true), ('attempt_count', true), ('challenge', true), ('factor', true), ('first_admin', false),
    ('flow_state', true), ('identity', true), ('invitation', true), ('one_time_token', true), ('recovery_code', true),
    ('refresh_token', true), ('session', true), ('session_place', true), ('shared_link', true), ('signing_key', true),
    ('sso_provider', true), ('token_notice', true) $$;
