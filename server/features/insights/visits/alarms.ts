import type { Tx } from '../../../platform/db/tenant.ts'
import { readChanges } from '../changes/member-changes.ts'
import { endOf, weekOf } from '../list/insight-list.ts'
import { readThemes } from '../themes/store.ts'
import { readWeeks } from '../weeks-store.ts'
import { readNew, readNewOfCustomers, readStatusChanges } from './change-store.ts'

/** As the mark in the table: see `web/features/insights/table/spike.ts`. */
const WEEKS = 12
const MIN_MENTIONS = 4
const TIMES = 3
const NEW_WEEKS = 2

/** How often an insight is mentioned in a week now, and was in the weeks before. */
export type SpikeFigures = { issueNumber: number; mentions: number; usual: number }

/** The shown insights that were mentioned before, got mentions after a time, and are mentioned far more often now. */
export async function findSpikes(tx: Tx, workspaceId: string, since: Date, now: Date): Promise<SpikeFigures[]> {
  const known = (await readChanges(tx, workspaceId, since)).filter((one) => !one.isNew && one.change.new > 0)
  const until = endOf(weekOf(now))
  const wanted = known.map(({ issueNumber }) => ({ issueNumber, until }))
  const weeks = Map.groupBy(await readWeeks(tx, workspaceId, wanted, WEEKS), (one) => one.issueNumber)
  return known.flatMap(({ issueNumber }) => {
    const counts = weeks.get(issueNumber) ?? []
    const mentions = Math.max(0, ...counts.filter((one) => one.weeksAgo < NEW_WEEKS).map((one) => one.mentions))
    const before = counts.filter((one) => one.weeksAgo >= NEW_WEEKS).reduce((sum, one) => sum + one.mentions, 0)
    const usual = before / (WEEKS - NEW_WEEKS)
    if (usual === 0 || mentions < MIN_MENTIONS || mentions < TIMES * usual) return []
    return [{ issueNumber, mentions, usual: Math.round(usual * 10) / 10 }]
  })
}

/** The shown insights that regressed after a time. */
export async function findRegressions(tx: Tx, workspaceId: string, since: Date): Promise<number[]> {
  const changes = await readStatusChanges(tx, workspaceId, since)
  return changes.filter((one) => one.status === 'regressed').map((one) => one.issueNumber)
}

/** The shown insights that were made after a time and are in one of these themes, with its name. */
export async function findNewInThemes(
  tx: Tx,
  workspaceId: string,
  since: Date,
  themes: readonly number[],
): Promise<{ issueNumber: number; theme: string }[]> {
  if (themes.length === 0) return []
  const made = new Set(await readNew(tx, workspaceId, since))
  if (made.size === 0) return []
  const watched = (await readThemes(tx, workspaceId)).filter(({ id }) => themes.includes(id))
  return watched.flatMap(({ name, issueNumbers }) =>
    issueNumbers.filter((number) => made.has(number)).map((issueNumber) => ({ issueNumber, theme: name })),
  )
}

/** The shown insights that were made after a time and that one of these customers mentioned, with the names of these. */
export async function findNewOfCustomers(
  tx: Tx,
  workspaceId: string,
  since: Date,
  customers: readonly string[],
): Promise<{ issueNumber: number; names: string }[]> {
  return customers.length === 0 ? [] : readNewOfCustomers(tx, workspaceId, since, customers)
}
