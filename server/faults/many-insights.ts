type Query = (text: string) => Promise<unknown>

/** The insight that `touchInsight` changes. */
const TOUCHED = 10_001

/**
 * Copies the insights of the only workspace, with their mentions, until it shows `count`, without grouping them. There must be at least one.
 */
export async function copyInsights(query: Query, count: number): Promise<void> {
  await query(`
    insert into insight (workspace_id, issue_number, name, summary, status, mention_count, people_count, heard, sources,
      first_seen, last_seen, hidden)
    select workspace_id, 10000 + number, name, summary, status, mention_count, people_count, heard, sources, first_seen,
      last_seen, false
    from (select *, row_number() over (order by issue_number) as at, count(*) over () as shown
      from insight where not hidden and ended_at is null) i
    join generate_series(1, ${count}) number on (number - 1) % shown + 1 = at
    where number <= ${count} - shown`)
  await query(`
    with copied as (
      insert into feedback_item (workspace_id, connection_id, external_id, text, author, place, said_at, grouped_seq)
      select item.workspace_id, item.connection_id, copy.issue_number || '-' || item.external_id, item.text, item.author,
        item.place, item.said_at, -1
      from insight copy
      join insight original on original.workspace_id = copy.workspace_id and original.name = copy.name
        and original.issue_number < 10000
      join statement s on s.workspace_id = copy.workspace_id and s.issue_number = original.issue_number
      join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
      where copy.issue_number >= 10000
      on conflict do nothing
      returning workspace_id, id, external_id, text, said_at
    )
    insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
    select workspace_id, id, 0, 0, least(length(text), 200), 'joined', split_part(external_id, '-', 1)::int, 1, 'copied', said_at
    from copied`)
}

/** Changes one copied insight and announces that to the processes, as grouping does. */
export async function touchInsight(query: Query): Promise<void> {
  await query(`
    with raised as (update workspace set revision = revision + 1 returning workspace_id, revision),
      changed as (update insight set revision = raised.revision from raised
        where insight.workspace_id = raised.workspace_id and issue_number = ${TOUCHED} returning 1)
    select pg_notify('revision', workspace_id || ':' || revision) from raised`)
}
