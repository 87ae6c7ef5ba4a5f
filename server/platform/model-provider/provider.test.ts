import type pg from 'pg'
import { type DestinationStream, pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConnection, testWorkspace } from '../db/testing.ts'
import { type TestServices, testServices } from '../http/testing.ts'
import type { Services } from '../services.ts'
import { ModelFailure } from './failure.ts'
import { BudgetExhausted, ModelProvider, type ProviderDefinition } from './provider.ts'

/** Tables of the two shapes that a feature may bring. */
const TABLES = `
  create table trial_outage (one boolean primary key default true check (one), what text not null, since timestamptz not null,
    paused_until timestamptz);
  create table trial_budget (day date primary key, tokens bigint not null default 0, spent_at bigint);
  create table trial_plain_budget (day date primary key, tokens bigint not null default 0);
  create table trial_usage (workspace_id uuid not null, day date not null, tokens bigint not null default 0,
    calls integer not null default 0, primary key (workspace_id, day));
  grant select, insert, update, delete on trial_outage, trial_budget, trial_plain_budget, trial_usage to groundswell_app;`
const outage = 'trial_outage'
const withMark = { outage, budget: 'trial_budget', recordsExhaustion: true, usage: 'trial_usage' }
const withoutMark = { outage, budget: 'trial_plain_budget' }

let started: TestServices
let services: Services
let owner: pg.Client
let now: Date
const logged: { level: number; msg: string }[] = []

beforeAll(async () => {
  const destination: DestinationStream = { write: (line: string) => void logged.push(JSON.parse(line) as never) }
  started = await testServices({}, pino({ level: 'info' }, destination))
  services = started.services
  services.now = () => now
  owner = await openConnection(services.db.ownerUrl)
  await owner.query(TABLES)
})
afterAll(async () => {
  await owner.end()
  await started.stop()
})
beforeEach(async () => {
  await owner.query('truncate trial_outage, trial_budget, trial_plain_budget, trial_usage')
  now = new Date('2026-03-02T10:20:00Z')
  logged.length = 0
})

const provider = (some: Partial<ProviderDefinition> = {}) =>
  new ModelProvider(services, {
    name: 'trial model',
    fallback: 'nothing happens',
    tables: withMark,
    tokensPerDay: 1000,
    ...some,
  })
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const usageOf = async (workspaceId: string) =>
  (await owner.query('select tokens::int, calls from trial_usage where workspace_id = $1', [workspaceId])).rows[0]
const failing = (failure: Error) => async () => {
  throw failure
}

test('a call costs what it reports, or all that was reserved; the installation and the workspace pay', async () => {
  const trial = provider()
  const workspaceId = await testWorkspace(services.db)
  const reporting = await trial.spend({ workspaceId, maxTokens: 400 }, async (report) => {
    expect(await trial.readToday()).toEqual({ used: 400, perDay: 1000, exhausted: false })
    report(30)
    return 'reply'
  })
  expect(reporting).toEqual({ result: 'reply', tokens: 30 })
  expect(await trial.spend({ workspaceId, maxTokens: 400 }, async () => 1)).toEqual({ result: 1, tokens: 400 })
  await trial.spend({ workspaceId: null, maxTokens: 5 }, async () => 1)
  expect(await trial.readToday()).toEqual({ used: 435, perDay: 1000, exhausted: false })
  expect(await usageOf(workspaceId)).toEqual({ tokens: 430, calls: 2 })
})

test('a failed call costs nothing only if it cannot have used tokens', async () => {
  const trial = provider()
  const expense = { workspaceId: null, maxTokens: 100 }
  const free = new ModelFailure('rejected', 'no')
  await expect(trial.spend(expense, failing(free))).rejects.toBe(free)
  expect((await trial.readToday())?.used).toBe(0)
  await expect(trial.spend(expense, failing(new ModelFailure('rejected', 'no', { charged: true })))).rejects.toThrow(
    'no',
  )
  await expect(trial.spend(expense, failing(new Error('stopped')))).rejects.toThrow('stopped')
  expect((await trial.readToday())?.used).toBe(200)
})

test('concurrent calls never exceed the budget, and a call that does not fit is not made', async () => {
  const trial = provider()
  let calls = 0
  const expense = { workspaceId: null, maxTokens: 300 }
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => trial.spend(expense, async () => void calls++)),
  )
  expect(calls).toBe(3)
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(refused.every((error) => error instanceof BudgetExhausted)).toBe(true)
  expect(refused).toHaveLength(5)
  expect((await trial.readToday())?.used).toBe(900)
})

test('a share of the budget ends before the whole, and the next UTC day starts again', async () => {
  const trial = provider({ tables: withoutMark })
  const expense = { workspaceId: null, maxTokens: 400 }
  await trial.spend({ ...expense, share: 0.5 }, async () => 1)
  await expect(trial.spend({ ...expense, share: 0.5 }, async () => 1)).rejects.toThrow(BudgetExhausted)
  expect(await trial.isPaused()).toBe(false)
  await trial.spend(expense, async () => 1)
  await expect(trial.spend(expense, async () => 1)).rejects.toThrow(BudgetExhausted)
  later(24 * 60)
  await trial.spend({ ...expense, share: 0.5 }, async () => 1)
  expect((await trial.readToday())?.used).toBe(400)
})

test('where exhaustion is recorded it pauses all calls for the day, is logged once, and a raised budget ends it', async () => {
  const trial = provider()
  const expense = { workspaceId: null, maxTokens: 1001 }
  for (const _ of [1, 2]) await expect(trial.spend(expense, async () => 1)).rejects.toThrow(BudgetExhausted)
  expect(await trial.readToday()).toEqual({ used: 0, perDay: 1000, exhausted: true })
  expect(await trial.isPaused()).toBe(true)
  expect(logged.map(({ msg }) => msg)).toEqual([
    'the daily budget of the trial model is used up: the remaining calls wait until tomorrow (UTC)',
  ])
  expect(await provider({ tokensPerDay: 2000 }).isPaused()).toBe(false)
  later(24 * 60)
  expect(await trial.isPaused()).toBe(false)
})

test('without a budget nothing is counted', async () => {
  const trial = provider({ tokensPerDay: undefined })
  expect(await trial.spend({ workspaceId: null, maxTokens: 1e12 }, async () => 1)).toEqual({ result: 1, tokens: 1e12 })
  expect(await trial.readToday()).toBeNull()
  expect((await owner.query('select from trial_budget')).rowCount).toBe(0)
})

test('an outage keeps its start and its longest pause, is logged once, and ends with a call that works', async () => {
  const trial = provider()
  const since = now
  await trial.reportOutage(new ModelFailure('auth', 'the key was refused (401)'))
  later(5)
  await trial.reportOutage(new ModelFailure('auth', 'the key was refused (401)'), 60)
  expect(await trial.readOutage()).toEqual({
    what: 'the key was refused (401)',
    since,
    pausedUntil: new Date(since.getTime() + 600_000),
  })
  expect(await trial.isPaused()).toBe(true)
  later(5)
  expect(await trial.isPaused()).toBe(false)
  await trial.reportOutage(new ModelFailure('unavailable', 'it returned 503'))
  expect((await trial.readOutage())?.since).toEqual(now)
  await trial.endOutage()
  await trial.endOutage()
  expect(await trial.readOutage()).toBeNull()
  expect(logged.map(({ msg }) => msg)).toEqual([
    'the trial model cannot be used: nothing happens',
    'the trial model cannot be used: nothing happens',
    'the trial model is available again',
  ])
})

test.each([
  ['auth', false, true, 600],
  ['rejected', false, true, 600],
  ['rate-limited', false, false, 90],
  ['rate-limited', true, false, 90],
  ['unavailable', false, false, null],
  ['unavailable', true, true, 600],
] as const)('%s, last attempt %s: settled %s, pause %s s', async (kind, lastAttempt, settled, pause) => {
  const trial = provider()
  const failure = new ModelFailure(kind, 'it failed', kind === 'rate-limited' ? { retryAfter: 90 } : {})
  const thrown = await trial.settleFailure(failure, { lastAttempt }).catch((error: unknown) => error)
  expect(thrown).toBe(settled ? undefined : failure)
  const pausedUntil = (await trial.readOutage())?.pausedUntil ?? null
  expect(pausedUntil).toEqual(pause === null ? null : new Date(now.getTime() + pause * 1000))
})

test('a rejected request that may concern itself alone is recorded without a pause', async () => {
  const trial = provider()
  await trial.settleFailure(new ModelFailure('rejected', 'no'), { lastAttempt: false, pause: false })
  expect(await trial.readOutage()).toEqual({ what: 'no', since: now, pausedUntil: null })
  expect(await trial.isPaused()).toBe(false)
})
