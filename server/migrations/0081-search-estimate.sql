-- About how many messages have these words, by PostgreSQL's statistics, which costs no reading of the index (docs/decisions/0076-search-by-meaning.md).
-- The words carry the beginning of their workspace's id, so that others hardly count. A function of the table's owner, for whom the index and its
-- statistics can be used. Volatile, since EXPLAIN is refused otherwise.
create function estimated_with_words(query tsquery) returns double precision
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  declare plan json;
  begin
    execute format('explain (format json) select from feedback_search where words @@ %L::tsquery', query::text) into plan;
    return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::double precision;
  end $$;
revoke all on function estimated_with_words(tsquery) from public;
grant execute on function estimated_with_words(tsquery) to groundswell_app;
