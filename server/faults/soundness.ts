import { setTimeout as pause } from 'node:timers/promises'
import { listInsights } from '@groundswell/contract/insights.ts'
import type { Arrival } from './receiver.ts'
import type { Stack } from './stack.ts'

const LASTING_MS = 120_000
const LOOK_AGAIN_MS = 500

/** What is inspected: an installation whose database can be queried directly. */
export type Inspected = Pick<Stack, 'client' | 'query'>

/** Finds rows that must not exist. */
export type Check = { what: string; sql: string }

/** What is true of grouped feedback, whether or not anyone corrected it. */
export const groupChecks: Check[] = [
  {
    what: 'a row is stored twice',
    sql: 'select text, count(*) from feedback_item group by text having count(*) > 1',
  },
  {
    what: 'an item is not grouped, or two took one place',
    sql: `select coalesce(grouped_seq, -1) as seq, count(*) from feedback_item
      group by grouped_seq having grouped_seq is null or count(*) > 1`,
  },
  {
    what: 'an item has no statement',
    sql: `select id, text from feedback_item item
      where not exists (select 1 from statement s where s.workspace_id = item.workspace_id and s.item_id = item.id)`,
  },
  {
    what: 'a span was taken twice',
    sql: `select item_id, start_offset, end_offset, point, count(*) from statement
      group by workspace_id, item_id, start_offset, end_offset, point having count(*) > 1`,
  },
  {
    what: 'a statement is in an issue and waits, or is in none and joined',
    sql: `select item_id, number, kind, issue_number from statement where (kind = 'joined') <> (issue_number is not null)`,
  },
  {
    what: 'a statement is in an issue that has ended',
    sql: `select s.item_id, s.issue_number from statement s join insight i using (workspace_id, issue_number)
      where i.ended_at is not null`,
  },
  {
    what: 'an issue counts other mentions than it has',
    sql: `select i.issue_number, i.mention_count, i.people_count, i.hidden, i.ended_at, c.mentions, c.people, c.items
      from insight i left join (
        select s.workspace_id, s.issue_number, count(*) as mentions, count(distinct s.item_id) as items,
          count(distinct coalesce(item.author, item.id::text)) as people
        from statement s join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
        group by s.workspace_id, s.issue_number
      ) c using (workspace_id, issue_number)
      where i.mention_count <> coalesce(c.mentions, 0) or i.people_count <> coalesce(c.people, 0)
        or (i.ended_at is null and i.hidden <> (coalesce(c.items, 0) < 2))`,
  },
  {
    what: 'an emerging insight counts other mentions than it has',
    sql: `select e.number, e.mention_count, e.people_count, e.hidden, c.mentions, c.people, c.items
      from emerging_insight e full join (
        select s.workspace_id, s.emerging_number as number, count(*) as mentions, count(distinct s.item_id) as items,
          count(distinct coalesce(item.author, item.id::text)) as people
        from statement s join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
        where s.emerging_number is not null
        group by s.workspace_id, s.emerging_number
      ) c using (workspace_id, number)
      where e.number is null or c.number is null or e.mention_count <> c.mentions or e.people_count <> c.people
        or e.hidden <> (c.items < 2)`,
  },
  {
    what: 'a statement is in an insight and in an emerging one',
    sql: `select item_id, number, kind, issue_number, emerging_number from statement
      where emerging_number is not null and (issue_number is not null or kind <> 'pending')`,
  },
  {
    what: 'vectors were stored and not read',
    sql: 'select item_id, times from late_vector',
  },
  {
    what: 'mentions by kind are miscounted',
    sql: `with counted as (
        select workspace_id, kind_group(kind, issue_number) as number, counted_kind(feedback_kind, issue_number, reason) as kind,
          count(*)::int as mentions
        from statement where feedback_kind is not null group by 1, 2, 3
      ), kept as (
        select workspace_id, issue_number as number, kind, sum(mentions)::int as mentions from (
          select workspace_id, issue_number, kind, mentions from kind_count
          union all select workspace_id, issue_number, kind, mentions from kind_change
        ) noted group by 1, 2, 3 having sum(mentions) <> 0
      )
      select * from counted full join kept using (workspace_id, number, kind)
      where counted.mentions is distinct from kept.mentions`,
  },
  {
    what: 'an item is beyond the head of its groups',
    sql: `select item.id, item.grouped_seq, head from feedback_item item join engine_state using (workspace_id)
      where item.grouped_seq > head`,
  },
  {
    what: 'background work gave up',
    sql: `select id, name, data, output from queue.job where name = 'dead' or state = 'failed'`,
  },
]

const checks: Check[] = [
  ...groupChecks,
  {
    what: 'an issue has more mentions than it ever heard',
    sql: 'select issue_number, mention_count, heard from insight where heard < mention_count',
  },
  {
    what: 'an import is not done, or keeps its file',
    sql: `select id, name, state, error, added, known, bad from import
      where (options->>'uploaded')::boolean
        and (state <> 'done' or exists (select 1 from import_chunk c where c.import_id = import.id))`,
  },
  {
    what: 'a delivery is stuck',
    sql: `select id, issue_number, event, state, attempts, last_error, next_attempt_at from delivery
      where state = 'sending' or (event = 'insight.created' and state <> 'delivered')`,
  },
  {
    what: 'an issue that enough people know of was not pushed',
    sql: `select i.issue_number, i.mention_count from insight i join workspace w using (workspace_id)
      where not hidden and ended_at is null and deleted_at is null
        and chatter_count * 2 <= mention_count and mention_count >= (w.settings->>'min_inputs')::int
        and not exists (select 1 from delivery d where d.workspace_id = i.workspace_id
          and d.issue_number = i.issue_number and d.event = 'insight.created' and d.state = 'delivered')`,
  },
]

/** What each of these checks finds, as text. */
export async function rowsOf(stack: Inspected, wanted: readonly Check[]): Promise<string[]> {
  const faults: string[] = []
  for (const { what, sql } of wanted) {
    const rows = await stack.query(sql)
    if (rows.length > 0) faults.push(`${what}: ${rows.length} times, first ${JSON.stringify(rows[0])}`)
  }
  return faults
}

/** Everything that is wrong with what a stack stores and has sent; empty when it is sound. `texts` were acknowledged. */
export async function faultsOf(
  stack: Inspected,
  texts: readonly string[],
  arrivals: readonly Arrival[],
): Promise<string[]> {
  const faults = await rowsOf(stack, checks)
  const missing = await stack.query(
    'select text from unnest($1::text[]) as given (text) except select text from feedback_item',
    [texts],
  )
  if (missing.length > 0)
    faults.push(`${missing.length} acknowledged rows are missing, first ${JSON.stringify(missing[0])}`)
  const [stored] = await stack.query<{ count: string }>('select count(*) from feedback_item')
  if (Number(stored?.count) !== texts.length) faults.push(`${stored?.count} items are stored for ${texts.length} rows`)
  faults.push(...(await pushFaults(stack, arrivals)))
  if (!(await stack.client.call(listInsights)).some((insight) => insight.evidence.length > 0)) {
    faults.push('the list of insights is empty')
  }
  return faults
}

/** What stays wrong for longer than an automatic revision takes to push what it found, also on a busy machine; a fault does not go away. */
export async function lastingFaults(look: () => Promise<string[]>): Promise<string[]> {
  const until = performance.now() + LASTING_MS
  for (;;) {
    const faults = await look()
    if (faults.length === 0 || performance.now() > until) return faults
    await pause(LOOK_AGAIN_MS)
  }
}

/** Compares what the receiver got with the ledger: one id per event, the same content under one id. */
async function pushFaults(stack: Inspected, arrivals: readonly Arrival[]): Promise<string[]> {
  const faults: string[] = []
  const ledger = await stack.query<{ event_id: string; event: string; insight: string; state: string }>(
    `select d.event_id, d.event, d.state, i.id as insight from delivery d join insight i using (workspace_id, issue_number)`,
  )
  const known = new Set(ledger.map((row) => row.event_id))
  const ids = new Map<string, Set<string>>()
  const bodies = new Map<string, string>()
  for (const { id, type, insightId, body } of arrivals) {
    if (!known.has(id)) faults.push(`the receiver got ${id}, which the ledger does not know`)
    if ((bodies.get(id) ?? body) !== body) faults.push(`${id} was sent again with other words`)
    bodies.set(id, body)
    if (type === 'insight.created') ids.set(insightId, (ids.get(insightId) ?? new Set()).add(id))
  }
  for (const [insight, its] of ids) {
    if (its.size > 1) faults.push(`insight ${insight} was announced under ${its.size} ids`)
  }
  for (const { event_id, event, insight, state } of ledger) {
    if (event === 'insight.created' && state === 'delivered' && !ids.get(insight)?.has(event_id)) {
      faults.push(`insight ${insight} counts as delivered, but never arrived`)
    }
  }
  return faults
}

/** How often to look whether a stack has settled. Each look opens a connection, which slows down the work that it waits for. */
export const SETTLE_EVERY_MS = 200

/** How far the work of a stack has progressed, in one query. */
export type Progress = {
  importing: number
  ungrouped: number
  unread: number
  unsent: number
  sending: number
  unpushed: number
}

/** How much work of each kind is left, counted in one query. */
export async function progressOf(stack: Inspected): Promise<Progress> {
  const [row] = await stack.query<Progress>(`select
    (select count(*) from import where state in ('waiting', 'running') and (options->>'uploaded')::boolean)::int
      as importing,
    (select count(*) from feedback_item where grouped_seq is null)::int as ungrouped,
    ((select count(*) from late_vector) + (select count(*) from queue.job
      where name in ('encode-items', 'encode-workspace') and state < 'completed'))::int as unread,
    (select count(*) from delivery where state = 'waiting' and (event = 'insight.created' or next_attempt_at <= now()))::int
      as unsent,
    (select count(*) from delivery where state = 'sending')::int as sending,
    (select count(*) from insight i join workspace w using (workspace_id)
      where not hidden and ended_at is null and chatter_count * 2 <= mention_count and mention_count >= (w.settings->>'min_inputs')::int
        and not exists (select 1 from delivery d where d.workspace_id = i.workspace_id
          and d.issue_number = i.issue_number and d.event = 'insight.created'))::int as unpushed`)
  if (!row) throw new Error('there is no answer')
  return row
}

/** True when nothing more will happen automatically, except for updates that are not due yet. */
export function isSettled(progress: Progress): boolean {
  return Object.values(progress).every((count) => count === 0)
}

/** What is in progress, in a few words. */
export function phaseOf({ importing, ungrouped, unread, unsent, sending, unpushed }: Progress): string {
  if (importing > 0) return ungrouped > 0 ? 'importing and grouping' : 'importing'
  if (ungrouped > 0) return unsent + sending > 0 ? 'grouping and pushing' : 'grouping'
  if (unread > 0) return 'reading vectors'
  return unsent + sending + unpushed > 0 ? 'pushing' : 'idle'
}
