import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import {
  createState,
  type Decision,
  deserialize,
  isEmerging,
  issues,
  replay,
  type State,
} from '@groundswell/engine/index.ts'
import type { Acknowledged } from './corrector.ts'
import { type Check, groupChecks, rowsOf } from './soundness.ts'
import type { Stack } from './stack.ts'

/** The insight that a number refers to: itself while it exists, else what it was merged into; no row when that has ended. */
const HEIRS = `with recursive chain as (
  select issue_number as number, issue_number as now, ended_at, merged_into from insight
  union all
  select chain.number, next.issue_number, next.ended_at, next.merged_into
  from chain join insight next on next.issue_number = chain.merged_into where chain.ended_at is not null
), heir as (select number, now from chain where ended_at is null)`

/** Each finds rows that must not be there. */
const checks: Check[] = [
  {
    what: 'a correction still waits',
    sql: `select id, kind, state, undoing from correction where state = 'waiting' or undoing`,
  },
  {
    what: 'a correction has the history of what was not done, or none of what was',
    sql: `select c.id, c.kind, c.state, c.made, count(f.item_id) as found from correction c
      left join correction_statement f on f.workspace_id = c.workspace_id and f.correction_id = c.id
      group by c.workspace_id, c.id
      having case when c.state <> 'applied' then count(f.item_id) > 0 else c.made = '[]' end`,
  },
  {
    what: 'a refused correction says no reason',
    sql: `select id, kind from correction where state = 'refused' and problem is null`,
  },
  {
    what: 'a rule is left of a correction that is not applied',
    sql: `select rule.item_id, rule.number, c.id, c.kind, c.state from statement_rule rule
      join correction c on c.workspace_id = rule.workspace_id and c.id = rule.correction_id where c.state <> 'applied'`,
  },
  {
    what: 'a statement has lost the rule of an applied correction',
    sql: `select f.item_id, f.number, c.id, c.kind from correction_statement f
      join correction c on c.workspace_id = f.workspace_id and c.id = f.correction_id and c.state = 'applied'
      left join statement_rule rule
        on rule.workspace_id = f.workspace_id and rule.item_id = f.item_id and rule.number = f.number
      left join correction by on by.workspace_id = rule.workspace_id and by.id = rule.correction_id
      where by.id is null or (by.id <> c.id and not exists (select from correction_statement later
        where later.correction_id = by.id and later.item_id = f.item_id and later.number = f.number))`,
  },
  {
    what: 'a statement is not where a person put it',
    sql: `${HEIRS} select s.item_id, s.number, s.issue_number, rule.pin, heir.now from statement_rule rule
      join statement s using (workspace_id, item_id, number) left join heir on heir.number = rule.pin
      where (rule.pin = 0 and s.issue_number is not null)
        or (rule.pin > 0 and s.issue_number is distinct from heir.now)`,
  },
  {
    // Unless a person put it there: the insight that it was rejected from may have been merged into that one since.
    what: 'a statement is where a person said that it does not belong',
    sql: `${HEIRS} select s.item_id, s.number, s.issue_number, rule.pin, rule.bans from statement_rule rule
      join statement s using (workspace_id, item_id, number) join heir on heir.number = any(rule.bans)
      where heir.now = s.issue_number and rule.pin is null`,
  },
  {
    what: 'an insight was merged and lives',
    sql: `select c.id, c.touched, i.issue_number, i.ended_at, i.merged_into from correction c
      join insight i on i.workspace_id = c.workspace_id and i.issue_number = c.touched[1]
      where c.kind = 'merge' and c.state = 'applied' and (i.ended_at is null or i.merged_into is null)`,
  },
  {
    what: 'a name is not the last that a person gave',
    sql: `select i.issue_number, i.name, last.request from insight i cross join lateral (
        select c.request, c.state from correction c where c.kind = 'rename' and c.state = 'applied'
          and c.issue_number = i.issue_number order by c.created_at desc limit 1) last
      where i.ended_at is null and (i.name_by_person <> (last.request->>'name' is not null)
        or (i.name_by_person and i.name <> last.request->>'name'))`,
  },
  {
    what: 'a lock is not the last that a person set',
    sql: `select i.issue_number, i.locked, last.locked from insight i left join lateral (
        select (c.request->>'locked')::boolean as locked from correction c where c.kind = 'lock' and c.state = 'applied'
          and c.touched[1] = i.issue_number order by c.created_at desc limit 1) last on true
      where i.ended_at is null and i.locked <> coalesce(last.locked, false)`,
  },
]

/** Everything that is wrong with the corrected insights of a stack; empty when they are sound. */
export async function correctionFaults(stack: Stack, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const faults = await rowsOf(stack, [...groupChecks, ...checks])
  const kept = await stack.query<{ id: string; state: string; problem: string | null }>(
    'select id, state, problem from correction',
  )
  const states = new Map(kept.map((row) => [row.id, row]))
  for (const { id, said, undone } of acknowledged) {
    const { state, problem } = states.get(id) ?? { state: 'lost', problem: null }
    const right = { no: ['applied'], yes: ['undone'], unknown: ['applied', 'undone'] }[undone].includes(state)
    // One that could no longer be carried out, or taken back, states why.
    if (right || (state !== 'lost' && problem !== null)) continue
    faults.push(`${said} was acknowledged, taking it back: ${undone}, and is ${state}`)
  }
  return [...faults, ...(await stateFaults(stack))]
}

/** Compares the state that a process starting now would load with the tables. */
async function stateFaults(stack: Stack): Promise<string[]> {
  const faults: string[] = []
  const state = await readState(stack)
  const rows = await stack.query<{ id: string; issue: number }>(
    `select item_id || ':' || number as id, coalesce(issue_number, emerging_number) as issue from statement
    where coalesce(issue_number, emerging_number) is not null`,
  )
  const held = new Map(issues(state).flatMap((one) => one.statementIds.map((id) => [id, String(one.issueId)] as const)))
  differ('is in an issue', new Map(rows.map((row) => [row.id, String(row.issue)])), held)
  const rules = await stack.query<{ id: string; pin: number; bans: number[] }>(
    `select item_id || ':' || number as id, coalesce(pin, -1) as pin, bans from statement_rule`,
  )
  const worded = (rule: { pin: number; bans: number[] }) =>
    `${rule.pin} not ${rule.bans.toSorted((a, b) => a - b).join()}`
  differ(
    'has a rule',
    new Map(rules.map((row) => [row.id, worded(row)])),
    new Map([...state.rules].map(([id, rule]) => [id, worded(rule)])),
  )
  const locked = await stack.query<{ number: number }>(
    'select issue_number as number from insight where locked and ended_at is null',
  )
  const kept = [...state.issues.values()].filter((issue) => issue.locked && issue.mentions > 0)
  differ(
    'is locked',
    new Map(locked.map((row) => [String(row.number), 'locked'])),
    new Map(kept.map((issue) => [String(issue.id), 'locked'])),
  )
  const [last] = await stack.query<{ last: number }>('select coalesce(max(issue_number), 0)::int as last from insight')
  if (state.nextIssue <= (last?.last ?? 0)) faults.push(`the state would give number ${state.nextIssue} again`)
  const dismissed = await stack.query<{ number: number }>(
    'select number from emerging_insight where dismissed_in_engine',
  )
  differ(
    'is dismissed',
    new Map(dismissed.map((row) => [String(row.number), 'dismissed'])),
    new Map(
      [...state.issues.values()]
        .filter(({ id, removed, mentions }) => isEmerging(id) && removed && mentions > 0)
        .map(({ id }) => [String(id), 'dismissed']),
    ),
  )
  const [emerging] = await stack.query<{ last: number }>('select last_emerging as last from engine_state')
  if (state.nextEmerging <= (emerging?.last ?? 0))
    faults.push(`the state would give number ${state.nextEmerging} again`)
  return faults

  function differ(what: string, stored: Map<string, string>, remembered: Map<string, string>): void {
    const wrong = [...new Set([...stored.keys(), ...remembered.keys()])].filter(
      (id) => stored.get(id) !== remembered.get(id),
    )
    const [id] = wrong
    if (id === undefined) return
    const first = `${id}: ${stored.get(id)} in the table, ${remembered.get(id)} in the state`
    faults.push(`what ${what} differs ${wrong.length} times, first ${first}`)
  }
}

/** The snapshot, with every later decision applied. */
async function readState(stack: Stack): Promise<State> {
  type Row = Omit<Decision, 'issueId'> & { itemId: string; text: string; start: number; end: number; at: string } & {
    author: string | null
    thread: string | null
    issueId: number | null
  }
  const [stored] = await stack.query<{ state: Buffer | null }>('select state from engine_state')
  const state = stored?.state ? deserialize(zstdDecompressSync(stored.state)) : createState()
  const rows = await stack.query<Row>(
    `select item.id || ':' || s.number as "statementId", item.id as "itemId", left(item.text, s.end_offset) as text,
      s.start_offset as start, s.end_offset as end, extract(epoch from s.said_at) * 1000 as at, item.author, item.thread,
      case when s.emerging_number is null then s.kind else 'joined' end as kind,
      coalesce(s.issue_number, s.emerging_number) as "issueId", s.score, s.reason
    from feedback_item item join statement s on s.workspace_id = item.workspace_id and s.item_id = item.id
    join engine_state e on e.workspace_id = item.workspace_id and item.grouped_seq > e.grouped_seq
    order by item.grouped_seq, s.number`,
  )
  replay(
    state,
    rows.map(({ statementId, itemId, text, start, end, at, author, thread }) => ({
      id: statementId,
      itemId,
      text: text.slice(start, end),
      start,
      end,
      at: Number(at),
      ...(author === null ? {} : { author }),
      ...(thread === null ? {} : { thread }),
    })),
    rows.map(({ statementId, kind, score, reason, issueId }) => ({
      statementId,
      kind,
      score,
      reason,
      ...(issueId === null ? {} : { issueId }),
    })),
  )
  return state
}

/** One hash of everything that a correction may change and an undo has to restore. Insights above `last` were created later. */
export async function correctionHash(stack: Stack, last: number): Promise<string> {
  const statements = await stack.query(
    `select s.item_id, s.number, s.kind, s.issue_number, s.emerging_number, s.score, s.reason, s.decided_by, s.decided_at, rule.pin, rule.bans,
      rule.correction_id
    from statement s left join statement_rule rule using (workspace_id, item_id, number) order by 1, 2`,
  )
  const insights = await stack.query(
    `select issue_number, name, summary, described_hash, engine_name, name_by_person, status, hidden, locked, ended_at,
      merged_into, mention_count, people_count
    from insight where issue_number <= $1 order by 1`,
    [last],
  )
  return createHash('sha256')
    .update(JSON.stringify([statements, insights]))
    .digest('hex')
}

/**
 * Counts the corrections by people, and the work that follows from them, that are not carried out yet. A grouping that is due more than
 * `seconds` from now is not counted.
 */
export async function unsettled(stack: Stack, seconds: number): Promise<number> {
  const [row] = await stack.query<{ count: number }>(
    `select (
      (select count(*) from feedback_item where grouped_seq is null)
      + (select count(*) from import where state in ('waiting', 'running') and (options->>'uploaded')::boolean)
      + (select count(*) from correction where state = 'waiting' or undoing)
      + (select count(*) from late_vector)
      + (select count(*) from queue.job where name in ('group-workspace', 'encode-items', 'encode-workspace') and state < 'completed'
          and start_after < now() + $1 * interval '1 second'))::int as count`,
    [seconds],
  )
  return row?.count ?? 0
}
