-- The life of a sign-in: when its credentials end, who renews them, and the provider's subscription that belongs to it
-- (docs/decisions/0032-sign-in-life-cycle.md).

alter table connection
  -- When the credentials end at the provider; null: they do not, or it is not known.
  add column expires_at timestamptz,
  -- From when on they are refreshed before a call.
  add column renew_at timestamptz,
  -- The refresh that is running; the lease of one that was killed ends at the second column. A new sign-in clears both.
  add column refresh_lease uuid,
  add column refresh_lease_until timestamptz;

-- What the exchange of the code needs besides the state: the PKCE verifier and what was entered before signing in, sealed.
alter table oauth_state add column sealed text;

create table event_subscription (
  workspace_id uuid not null,
  connection_id uuid not null,
  -- SHA-256 of the key in the address that the provider sends this connection's events to.
  key_hash bytea not null,
  -- The key, the secret offered to the provider, and the subscription's own secrets.
  sealed text,
  -- The connector's own; null until it was created at the provider.
  state jsonb,
  expires_at timestamptz,
  -- When it is checked, renewed or tried again.
  due_at timestamptz not null,
  -- Why there is none, as text for the tile.
  note text,
  primary key (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connection on delete cascade
);
create unique index event_subscription_key on event_subscription (key_hash);
create index event_subscription_due on event_subscription (due_at);

grant select, insert, update, delete on event_subscription to groundswell_app;
alter table event_subscription enable row level security;
alter table event_subscription force row level security;
create policy tenant on event_subscription
  using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);

do $$
begin
  execute format('create policy owner_lists on event_subscription for select to %I using (true)', current_user);
end $$;

-- The connection that a request with this key is for: a provider names no workspace.
create function subscribed_connection(of_connector text, of_key bytea) returns table (workspace_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select c.workspace_id, c.id
    from event_subscription s join connection c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    where s.key_hash = of_key and c.connector = of_connector and c.disconnected_at is null and not c.signed_out
  $$;
revoke all on function subscribed_connection(text, bytea) from public;
grant execute on function subscribed_connection(text, bytea) to groundswell_app;

-- Workspaces with a subscription to check, renew or try again.
create function workspaces_to_subscribe(at timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct s.workspace_id
    from event_subscription s join connection c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    where s.due_at <= at and c.disconnected_at is null and not c.signed_out
  $$;
revoke all on function workspaces_to_subscribe(timestamptz) from public;
grant execute on function workspaces_to_subscribe(timestamptz) to groundswell_app;
