import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { liveConnections } from '../connections/index.ts'
import { readSettings } from '../settings/index.ts'
import { sendDue } from './delivery-job.ts'
import { addCreated, addUpdates, readDue } from './store.ts'

const DUE_AT_ONCE = 500

/**
 * Makes the deliveries that insights call for by themselves, in the caller's transaction: the first one at the threshold,
 * then updates. Looks at these issues; at all of them, and at what waited for a pause to end, when none are named.
 */
export function considerPush(
  services: Services,
): (tx: Tx, workspaceId: string, issueNumbers?: readonly number[]) => Promise<void> {
  return async (tx, workspaceId, issueNumbers) => {
    const destinations = await liveConnections(tx, workspaceId, 'destination')
    const open = destinations.filter((connection) => !connection.paused)
    if (open.length === 0) return
    const settings = await readSettings(tx, workspaceId)
    const threshold = { least: settings.min_inputs, people: settings.count_people ?? false }
    const now = services.now()
    for (const { id } of open.filter((connection) => connection.pushAutomatically)) {
      const created = await addCreated(tx, workspaceId, id, threshold, issueNumbers, now)
      const updates = await addUpdates(tx, workspaceId, id, issueNumbers, now)
      await sendDue(services, workspaceId, [...created, ...updates], tx)
    }
    if (!issueNumbers) await sendDue(services, workspaceId, await readDue(tx, workspaceId, now, DUE_AT_ONCE), tx)
  }
}
