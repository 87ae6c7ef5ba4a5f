-- Owner: server/features/syncs. Test: server/features/syncs/sync-state.test.ts.

-- A connection that ends, or whose sign-in ends, stops its sync in the same transaction. A pause that the provider asked for
-- outlives a disconnection, but not the end of a sign-in.
create or replace function stop_sync() returns trigger language plpgsql as $$
begin
  update sync_state
  set status = 'stopped', waiting_until = case when new.signed_out then null else waiting_until end
  where workspace_id = new.workspace_id and connection_id = new.id;
  return null;
end $$;
create or replace trigger stop_sync after update of disconnected_at, signed_out on connection
  for each row when (new.disconnected_at is not null or new.signed_out) execute function stop_sync();
