import type { Services } from '../../../platform/services.ts'
import { sweepChanges } from '../../../platform/sweep/changes.ts'
import { findAlerts } from '../alerts.ts'
import { endOfQuiet } from '../schedule.ts'
import { addChannelAlerts, nextAlertPostAt } from './alert-store.ts'
import { readChannels } from './channel-store.ts'
import { addPost } from './store.ts'

/** Events longer ago than this, while nothing was running, cause no alert. */
const LATE_MS = 2 * 24 * 3_600_000

/** Looks for alerts in each workspace that changed, and adds a message for each channel that gets them. */
export async function noticeChannelAlerts(services: Services): Promise<void> {
  await sweepChanges(services, { name: 'channel-alerts' }, async (tx, workspaceId) => {
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
