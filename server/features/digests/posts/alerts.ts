import type { Services } from '../../../platform/services.ts'
import { sweepChanges } from '../../../platform/sweep/changes.ts'
import type { SweepOutcome } from '../../../platform/sweep/every-workspace.ts'
import type { DueQuery } from '../../../platform/sweep/store.ts'
import { findAlerts } from '../alerts.ts'
import { endOfQuiet } from '../schedule.ts'
import { addChannelAlerts, nextAlertPostAt, workspacesToAlertChannels } from './alert-store.ts'
import { readChannels } from './channel-store.ts'
import { addPost } from './store.ts'

/** Events longer ago than this, while nothing was running, cause no alert. */
const LATE_MS = 2 * 24 * 3_600_000

const SWEEP = 'channel-alerts'

/** Looks for alerts in each workspace that changed and has a channel that gets them, and adds a message for each such channel. */
export async function noticeChannelAlerts(services: Services): Promise<SweepOutcome> {
  const changed: DueQuery = (tx) => workspacesToAlertChannels(tx, SWEEP, services.now())
  return sweepChanges(services, { name: SWEEP, changed }, async (tx, workspaceId) => {
    const now = services.now()
    for (const { id: channelId, connectionId, choice, alertsSince } of await readChannels(tx, workspaceId)) {
      if (!alertsSince) continue
      const since = new Date(Math.max(alertsSince.getTime(), now.getTime() - LATE_MS))
      const alerts = await findAlerts(tx, workspaceId, choice.alerts, { since, now })
      if (!(await addChannelAlerts(tx, workspaceId, channelId, alerts, now))) continue
      const next = await nextAlertPostAt(tx, workspaceId, channelId, now)
      const dueAt = endOfQuiet(next, choice) ?? next
      await addPost(tx, workspaceId, { connectionId, channelId, kind: 'alert', since }, now, dueAt)
    }
    return 'idle'
  })
}
