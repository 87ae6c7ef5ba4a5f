import { sql } from 'kysely'
import { dayOf } from '../../platform/day.ts'
import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { ModelFailure } from '../models/index.ts'
import type { Embedder } from './embedder.ts'

/** `spent`: a call did not fit any more, so none is made before the next UTC day. */
export type DayUse = { used: number; perDay: number; spent: boolean }

/** What is to be asked waits for tomorrow: it does not fit into the day's budget. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
}

/** What a model puts around a text. */
const TOKENS_AROUND = 8

/**
 * One call. The most that it can use is reserved first and corrected after: its bytes, as no tokeniser makes more tokens than
 * that. Where the model does not say what it used, and of a call that broke off, the reservation stays. Throws `BudgetSpent` when
 * it does not fit. A model without a budget is asked right away.
 */
export async function embedPaid(
  services: Services,
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const perDay = services.config.embeddings?.tokensPerDay
  if (perDay === undefined) return embedder.embed(texts, signal)
  const day = dayOf(services.now())
  const reserved = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + TOKENS_AROUND, 0)
  await reserve(services, day, reserved, perDay)
  let used = reserved
  try {
    return await embedder.embed(texts, signal, (tokens) => {
      used = tokens
    })
  } catch (error) {
    if (error instanceof ModelFailure && !error.charged) used = 0
    throw error
  } finally {
    await withoutWorkspace(services.db, (tx) => correct(tx, day, used - reserved))
  }
}

/** What was used today of the budget; null where there is none. */
export async function readDayUse(services: Services): Promise<DayUse | null> {
  const perDay = services.config.embeddings?.tokensPerDay
  if (perDay === undefined) return null
  const { rows } = await withoutWorkspace(services.db, (tx) =>
    sql<{ used: number; spent: boolean }>`
      select tokens as used, coalesce(spent_at >= ${perDay}::bigint, false) as spent from embedding_budget
      where day = ${dayOf(services.now())}::date`.execute(tx),
  )
  return { perDay, used: rows[0]?.used ?? 0, spent: rows[0]?.spent ?? false }
}

async function reserve(services: Services, day: string, tokens: number, perDay: number): Promise<void> {
  const { fits, news } = await withoutWorkspace(services.db, async (tx) => {
    await sql`insert into embedding_budget (day) values (${day}::date) on conflict (day) do nothing`.execute(tx)
    const { numAffectedRows } = await sql`
      update embedding_budget set tokens = tokens + ${tokens}::bigint
      where day = ${day}::date and tokens + ${tokens}::bigint <= ${perDay}::bigint`.execute(tx)
    if (Number(numAffectedRows) === 1) return { fits: true, news: false }
    const marked = await sql`
      update embedding_budget set spent_at = ${perDay}::bigint
      where day = ${day}::date and coalesce(spent_at < ${perDay}::bigint, true)`.execute(tx)
    return { fits: false, news: Number(marked.numAffectedRows) === 1 }
  })
  if (fits) return
  if (news)
    services.log.warn(
      { tokensPerDay: perDay },
      'the day’s budget for embeddings is used up: the rest waits for tomorrow',
    )
  throw new BudgetSpent('the day’s budget for embeddings is used up')
}

async function correct(tx: Tx, day: string, difference: number): Promise<void> {
  if (difference === 0) return
  await sql`
    update embedding_budget set tokens = greatest(0, tokens + ${difference}::bigint) where day = ${day}::date`.execute(
    tx,
  )
}
