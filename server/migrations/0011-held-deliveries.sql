-- Why a delivery waits. held: the insight already qualified when its destination was connected or switched on, or when the
-- threshold was lowered; it goes out once somebody chooses it. hourly: at most one update an hour. retry, retry-after,
-- rate-limited: after a failed try. Null: it is due, or the reason was not kept.
alter table delivery
  add column waits_for text check (waits_for in ('held', 'hourly', 'retry', 'retry-after', 'rate-limited')),
  -- When somebody answered the offer to push what is held and left this one out.
  add column declined_at timestamptz;
create index delivery_held on delivery (workspace_id, connection_id) where waits_for = 'held';

-- What came of the last test of a connection: {"at", "ok", "status", "message"}.
alter table connection add column last_test jsonb;
