import { sql } from 'kysely'
import type { Tx } from '../db/tenant.ts'
import { exceedsShare, type Holder, keysOf } from './share.ts'

/** The period in which one person takes at most half of what is left, so that the other half is there for the next one. */
const QUARTER_MS = 15 * 60_000
/** How long a refused request counts as waiting for more of the budget. */
const WAITS_MS = 3_600_000
/** The people of one workspace take at most this share of the rest of a budget within a quarter of an hour. */
const OF_WORKSPACE = 0.75

/** Background work and what people ask for are shared separately: much of the one is no reason to refuse the other. */
type Taking = { budget: string; day: string; holder: Holder; at: Date }

type Use = {
  own: number
  workspace: number
  quarter: number
  quarterOfWorkspace: number
  colleague: boolean
  otherWorkspace: boolean
}

/**
 * Takes `amount` of a day's budget; takes nothing when it would exceed `limit` (`exhausted`), or the holder's share of
 * it (`share`). The caller has locked the budget. Somebody waits if they asked for some of it within the last hour, whether or not they got
 * it, and have had less of it today. A person takes at most half of what is left within a quarter of an hour even if nobody waits;
 * background work leaves nothing to those who are not there.
 */
export async function takeShare(
  tx: Tx,
  { limit, amount, all, ...taking }: Taking & { limit: number; amount: number; all: number },
): Promise<'taken' | 'exhausted' | 'share'> {
  const { budget, day, holder, at } = taking
  await sql`delete from budget_share where budget = ${budget} and day < ${day}::date`.execute(tx)
  const use = await readUse(tx, taking)
  const isPerson = holder.accountId !== undefined
  const exceeds =
    exceedsShare(limit, amount, { ...use, all }, use) || (isPerson && exceedsPace(limit, amount, { ...use, all }))
  const outcome = all + amount > limit ? 'exhausted' : exceeds ? 'share' : 'taken'
  await addUse(tx, taking, outcome === 'taken' ? amount : 0, at)
  return outcome
}

/** A person's pace: as if a colleague were waiting, who has a share of what is left now. */
function exceedsPace(limit: number, amount: number, use: Use & { all: number }): boolean {
  const { quarter, quarterOfWorkspace, workspace, all, otherWorkspace } = use
  if (quarter === 0) return false
  return (
    exceedsShare(limit, amount, { own: quarter, workspace, all }, { colleague: true, otherWorkspace }) ||
    quarterOfWorkspace + amount > (limit - (all - quarterOfWorkspace)) * OF_WORKSPACE
  )
}

/** Adds to what was taken at `at`; `amount` may be negative. */
export function adjustShare(tx: Tx, { amount, ...taking }: Taking & { amount: number }): Promise<void> {
  return addUse(tx, taking, amount, null)
}

/** In how many seconds a person may take more than now. */
export function secondsToNextQuarter(at: Date): number {
  return Math.ceil((QUARTER_MS - (at.getTime() % QUARTER_MS)) / 1000)
}

async function readUse(tx: Tx, { budget, day, at, holder }: Taking): Promise<Use> {
  const { workspace, person } = keysOf(holder)
  const since = new Date(at.getTime() - WAITS_MS)
  const { rows } = await sql<Use>`
    with used as (
      select * from budget_share
      where budget = ${budget} and day = ${day}::date and (person = '') = ${person === ''}::boolean
    ),
    mine as (
      select coalesce(sum(tokens) filter (where person = ${person}), 0)::bigint as own,
        coalesce(sum(tokens), 0)::bigint as workspace,
        coalesce(sum(quarter_tokens) filter (where person = ${person} and quarter = ${quarterOf(at)}), 0)::bigint as quarter,
        coalesce(sum(quarter_tokens) filter (where quarter = ${quarterOf(at)}), 0)::bigint as quarter_of_workspace
      from used where workspace = ${workspace}
    )
    select own, workspace, quarter, quarter_of_workspace as "quarterOfWorkspace",
      exists (
        select from used where used.workspace = ${workspace} and person <> ${person}
          and asked_at > ${since}::timestamptz and tokens < own
      ) as colleague,
      exists (
        select from used where used.workspace <> ${workspace} group by used.workspace
        having max(asked_at) > ${since}::timestamptz and sum(tokens) < mine.workspace
      ) as "otherWorkspace"
    from mine`.execute(tx)
  return rows[0] as Use
}

/** `askedAt`: null when nothing more is asked for. */
async function addUse(
  tx: Tx,
  { budget, day, at, holder }: Taking,
  amount: number,
  askedAt: Date | null,
): Promise<void> {
  const { workspace, person } = keysOf(holder)
  const quarter = quarterOf(at)
  await sql`
    insert into budget_share as s (budget, day, workspace, person, tokens, quarter, quarter_tokens, asked_at)
    values (${budget}, ${day}::date, ${workspace}, ${person}, greatest(0, ${amount}::bigint), ${quarter}::bigint,
      greatest(0, ${amount}::bigint), ${at}::timestamptz)
    on conflict (budget, day, workspace, person) do update set
      tokens = greatest(0, s.tokens + ${amount}::bigint),
      quarter = greatest(s.quarter, ${quarter}::bigint),
      quarter_tokens = case
        when s.quarter = ${quarter}::bigint then greatest(0, s.quarter_tokens + ${amount}::bigint)
        when s.quarter < ${quarter}::bigint then greatest(0, ${amount}::bigint)
        else s.quarter_tokens
      end,
      asked_at = greatest(s.asked_at, ${askedAt}::timestamptz)`.execute(tx)
}

function quarterOf(at: Date): number {
  return Math.floor(at.getTime() / QUARTER_MS)
}
