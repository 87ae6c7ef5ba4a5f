import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import { openReceiver, sealReceiver } from './secrets.ts'
import { readReceiver, readReceivers, writeReceiver } from './store.ts'

/** Seals the secrets of all receivers with the current key, and returns how many, and how many no known key opens. Throws after the last workspace if one failed. */
export async function resealReceivers(
  services: Pick<Services, 'db' | 'key' | 'log'>,
): Promise<{ sealed: number; lost: number }> {
  const total = { sealed: 0, lost: 0 }
  const { failed } = await everyWorkspace(services, 'reseal receivers', allWorkspaces, (workspaceId) =>
    inWorkspace(services.db, workspaceId, async (tx) => {
      for (const { id } of await readReceivers(tx, workspaceId)) {
        const receiver = await readReceiver(tx, workspaceId, id, { lock: true })
        if (!receiver || receiver.sealed === null) continue
        const secrets = openReceiver(services, receiver)
        if (secrets) await writeReceiver(tx, workspaceId, id, { sealed: sealReceiver(services, id, secrets) })
        total[secrets ? 'sealed' : 'lost'] += 1
      }
    }),
  )
  if (failed.length > 0) {
    throw new Error(`The secrets of ${failed.length} workspaces were not sealed with the new key. Run this again.`)
  }
  return total
}
