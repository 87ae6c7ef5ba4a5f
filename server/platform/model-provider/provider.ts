import { dayOf } from '../day.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../db/tenant.ts'
import type { Services } from '../services.ts'
import { secondsToNextQuarter } from '../shares/budget-store.ts'
import { ModelFailure } from './failure.ts'
import * as store from './store.ts'

export type { Outage } from './store.ts'

/**
 * A model behind a provider, as a feature sets it up. `name` and `fallback` are for log lines: what the model is called, and
 * what happens while it cannot be used. `tokensPerDay` is the limit of the whole installation in a UTC day; undefined: none.
 */
export type ProviderDefinition = {
  name: string
  fallback: string
  tables: store.ProviderTables
  tokensPerDay: number | undefined
}

/** `exhausted`: a call did not fit, so none is made before the next UTC day. Only where the tables record it. */
export type DayUsage = { used: number; perDay: number; exhausted: boolean }

/**
 * One call to pay for. `accountId`: of the person who asks for it; without one it is background work. `maxTokens`: the most it can use. `share` of
 * the day's budget that it may draw on, 1 by default.
 */
export type Expense = { workspaceId: string | null; accountId?: string; maxTokens: number; share?: number }

/** A call was not made because it does not fit into the day's budget. */
export class BudgetExhausted extends Error {
  override name = 'BudgetExhausted'
}

/** The same, although the budget has more: the rest is for others, see `takeShare`. `seconds`: until a person may ask again. */
export class ShareExceeded extends BudgetExhausted {
  override name = 'ShareExceeded'
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

const PAUSE_SECONDS = 600
/** A provider may report any number; anything above this is not believed. */
const MAX_REPORTED_TOKENS = 1_000_000_000

/**
 * What every model needs around its calls: a daily token budget, and a shared record of outages that pauses all callers. Holds
 * no state of its own; all of it is in the database and shared by all processes.
 */
export class ModelProvider {
  readonly #services: Services
  readonly #definition: ProviderDefinition

  constructor(services: Services, definition: ProviderDefinition) {
    this.#services = services
    this.#definition = definition
  }

  /** The current outage; null when none is known. */
  readOutage(): Promise<store.Outage | null> {
    return withoutWorkspace(this.#services.db, (tx) => store.readOutage(tx, this.#definition.tables))
  }

  /** Today's use of the budget; null without a budget. */
  async readToday(): Promise<DayUsage | null> {
    const { tables, tokensPerDay } = this.#definition
    if (tokensPerDay === undefined) return null
    const at = { day: dayOf(this.#services.now()), limit: tokensPerDay }
    const day = await withoutWorkspace(this.#services.db, (tx) => store.readDay(tx, tables, at))
    return { perDay: tokensPerDay, ...day }
  }

  /** True while no call may be made: after a failure, or because the day's budget is exhausted. */
  async isPaused(): Promise<boolean> {
    const pausedUntil = (await this.readOutage())?.pausedUntil
    if (pausedUntil && pausedUntil > this.#services.now()) return true
    return this.#definition.tables.recordsExhaustion ? ((await this.readToday())?.exhausted ?? false) : false
  }

  /**
   * Makes one call within the budget. `maxTokens` is reserved first and then replaced by what the call passes to `report`.
   * The reservation stands when nothing is reported and when the call broke off; a failure that cannot have used tokens
   * releases it. Throws `BudgetExhausted` when the call does not fit, `ShareExceeded` when it would take
   * what is for others, and whatever the call throws.
   */
  async spend<T>(
    { workspaceId, accountId, maxTokens, share = 1 }: Expense,
    call: (report: (tokens: number) => void) => Promise<T>,
  ): Promise<{ result: T; tokens: number }> {
    const { tokensPerDay } = this.#definition
    let tokens = maxTokens
    const report = (reported: number) => {
      tokens = Math.min(reported, MAX_REPORTED_TOKENS)
    }
    if (tokensPerDay === undefined) return { result: await call(report), tokens }
    const at = this.#services.now()
    const spending = { day: dayOf(at), at, workspaceId, accountId }
    await this.#reserve(spending, maxTokens, Math.floor(tokensPerDay * share))
    try {
      return { result: await call(report), tokens }
    } catch (error) {
      if (error instanceof ModelFailure && !error.charged) tokens = 0
      throw error
    } finally {
      await this.#adjust(spending, tokens - maxTokens)
    }
  }

  /**
   * Records a failed call. Rethrows it when the queue is to retry: a rate limit, and an unavailable provider before the last
   * attempt. `pause: false` leaves out the pause after a rejected request, which may concern that request alone.
   */
  async settleFailure(failure: ModelFailure, options: { lastAttempt: boolean; pause?: boolean }): Promise<void> {
    const { lastAttempt, pause = true } = options
    if (failure.kind === 'unavailable' && !lastAttempt) throw failure
    await this.reportOutage(failure, failure.kind === 'rejected' && !pause ? null : PAUSE_SECONDS)
    if (failure.kind === 'rate-limited') throw failure
  }

  /** Records an outage and pauses all calls: for as long as a rate limit states, else for `seconds`; null: no pause. */
  async reportOutage(failure: ModelFailure, seconds: number | null = PAUSE_SECONDS): Promise<void> {
    const { name, fallback, tables } = this.#definition
    const now = this.#services.now()
    const pause = failure.retryAfter ?? seconds
    const until = pause === null ? null : new Date(now.getTime() + pause * 1000)
    const isNew = await withoutWorkspace(this.#services.db, (tx) =>
      store.writeOutage(tx, tables, failure.message, until, now),
    )
    if (isNew) this.#services.log.warn({ err: failure.message }, `the ${name} cannot be used: ${fallback}`)
  }

  /** To be called after a successful call: ends the outage. */
  async endOutage(): Promise<void> {
    const { name, tables } = this.#definition
    const wasDown = await withoutWorkspace(this.#services.db, (tx) => store.deleteOutage(tx, tables))
    if (wasDown) this.#services.log.info(`the ${name} is available again`)
  }

  async #reserve(spending: store.Spending, tokens: number, limit: number): Promise<void> {
    const { name, tables } = this.#definition
    const { day, at } = spending
    const { outcome, isNew } = await this.#inside(spending.workspaceId, async (tx) => {
      const outcome = await store.reserveTokens(tx, tables, { ...spending, tokens, limit })
      return { outcome, isNew: outcome === 'exhausted' && (await store.writeExhaustion(tx, tables, { day, limit })) }
    })
    if (outcome === 'taken') return
    if (outcome === 'share') {
      throw new ShareExceeded(`the rest of the daily budget of the ${name} is for others`, secondsToNextQuarter(at))
    }
    if (isNew) {
      this.#services.log.warn(
        { tokensPerDay: limit },
        `the daily budget of the ${name} is used up: the remaining calls wait until tomorrow (UTC)`,
      )
    }
    throw new BudgetExhausted(`the daily budget of the ${name} is used up`)
  }

  async #adjust(spending: store.Spending, difference: number): Promise<void> {
    if (difference === 0) return
    const { tables } = this.#definition
    await this.#inside(spending.workspaceId, (tx) => store.adjustTokens(tx, tables, { ...spending, difference }))
  }

  #inside<T>(workspaceId: string | null, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { db } = this.#services
    return workspaceId === null ? withoutWorkspace(db, work) : inWorkspace(db, workspaceId, work)
  }
}
