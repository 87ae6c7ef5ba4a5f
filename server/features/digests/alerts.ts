import type { DigestChoice } from '@groundswell/contract/digests.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { type Looked, sweepChanges } from '../../platform/sweep/changes.ts'
import type { SweepOutcome } from '../../platform/sweep/every-workspace.ts'
import type { DueQuery } from '../../platform/sweep/store.ts'
import {
  findNewInThemes,
  findNewOfCustomers,
  findRegressions,
  findSpikes,
  readShownInsights,
} from '../insights/index.ts'
import {
  type Alert,
  type AlertKind,
  addAlerts,
  nextAlertMailAt,
  readAlerted,
  workspacesToAlertPeople,
} from './alert-store.ts'
import type { DigestPart } from './content.ts'
import { endOfQuiet } from './schedule.ts'
import { addMail, readChoice } from './store.ts'

/** Events longer ago than this, while nothing was running, cause no alert. */
const LATE_MS = 2 * 24 * 3_600_000

const TITLES: Readonly<Record<AlertKind, { title: string; counted: string }>> = {
  spike: { title: 'Mentioned far more often', counted: 'spike' },
  regression: { title: 'Regressed', counted: 'regressed' },
  theme: { title: 'New in a theme you watch', counted: 'new' },
  customer: { title: 'New from a customer you watch', counted: 'new' },
}

const SWEEP = 'alerts'

/** Looks for alerts in each workspace that changed and has people who want them, and adds a mail for each of these. Null: mail is off. */
export async function noticeAlerts(services: Services): Promise<SweepOutcome | null> {
  if (!mailIsOn(services)) return null
  const changed: DueQuery = (tx) => workspacesToAlertPeople(tx, SWEEP, services.now())
  return sweepChanges(services, { name: SWEEP, changed }, (tx, workspaceId) =>
    noticeIn(tx, workspaceId, services.now()),
  )
}

async function noticeIn(tx: Tx, workspaceId: string, now: Date): Promise<Looked> {
  for (const accountId of await readAlerted(tx, workspaceId)) {
    const choice = await readChoice(tx, workspaceId, accountId)
    if (!choice?.alertsSince) continue
    const since = new Date(Math.max(choice.alertsSince.getTime(), now.getTime() - LATE_MS))
    const alerts = await findAlerts(tx, workspaceId, choice.alerts, { since, now })
    if (!(await addAlerts(tx, workspaceId, accountId, alerts, now))) continue
    const next = await nextAlertMailAt(tx, workspaceId, accountId, now)
    await addMail(tx, workspaceId, { accountId, kind: 'alert', since }, now, endOfQuiet(next, choice) ?? next)
  }
  return 'idle'
}

/** The alerts for a person with these settings. */
export async function findAlerts(
  tx: Tx,
  workspaceId: string,
  { spike, regression, themes, customers = [] }: DigestChoice['alerts'],
  { since, now }: { since: Date; now: Date },
): Promise<Alert[]> {
  const spikes = spike ? await findSpikes(tx, workspaceId, since, now) : []
  const regressed = regression ? await findRegressions(tx, workspaceId, since) : []
  const made = await findNewInThemes(tx, workspaceId, since, themes)
  const mentioned = await findNewOfCustomers(tx, workspaceId, since, customers)
  return [
    ...spikes.map(({ issueNumber, mentions, usual }) => ({
      kind: 'spike' as const,
      issueNumber,
      note: `${mentions} mentions in a week, usually ${usual}`,
    })),
    ...regressed.map((issueNumber) => ({
      kind: 'regression' as const,
      issueNumber,
      note: 'mentioned again after it was resolved',
    })),
    ...made.map(({ issueNumber, theme }) => ({ kind: 'theme' as const, issueNumber, note: theme })),
    ...mentioned.map(({ issueNumber, names }) => ({ kind: 'customer' as const, issueNumber, note: names })),
  ]
}

/** Alerts as the parts of a mail; those of insights that are not shown any more are left out. Null: none is left. */
export async function viewAlerts(tx: Tx, workspaceId: string, alerts: readonly Alert[]): Promise<DigestPart[] | null> {
  const named = await readShownInsights(tx, workspaceId, { numbers: alerts.map((one) => one.issueNumber) })
  const names = new Map(named.map((one) => [one.issue_number, one.issue_name]))
  const parts = (['spike', 'regression', 'theme', 'customer'] as const).flatMap((kind) => {
    const lines = alerts.flatMap(({ kind: of, issueNumber: number, note }) => {
      const name = names.get(number)
      return of === kind && name !== undefined ? [{ number, name, note }] : []
    })
    return lines.length === 0 ? [] : [{ ...TITLES[kind], lines, more: 0 }]
  })
  return parts.length === 0 ? null : parts
}
