-- Owner: server/auth. Test: server/auth/throttle/limits.test.ts.

-- Counts one attempt and returns true, or returns null and counts nothing when `allowed` are used up. The attempts of the previous window
-- count by the share of it that is still within a window's length.
create or replace function take_attempt(
  of_limit text, of_key text, in_window bigint, previous_share double precision, allowed double precision, until timestamptz
) returns boolean language sql as $$
  insert into attempt_count as c (limit_name, key, window_number, current, previous, expires_at)
  values (of_limit, of_key, in_window, 1, 0, until)
  on conflict (limit_name, key) do update set
    current = case when c.window_number >= in_window then c.current + 1 else 1 end,
    previous = case
      when c.window_number >= in_window then c.previous
      when c.window_number = in_window - 1 then c.current
      else 0
    end,
    window_number = greatest(c.window_number, in_window),
    expires_at = greatest(c.expires_at, until)
  where case
    when c.window_number >= in_window then c.current + c.previous * previous_share
    when c.window_number = in_window - 1 then c.current * previous_share
    else 0
  end < allowed
  returning true
$$;
