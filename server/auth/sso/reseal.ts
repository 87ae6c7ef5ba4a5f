import { inWorkspace } from '../../platform/db/tenant.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import type { Resealed } from '../keys/rotate-keys.ts'
import { sealedForProvider } from './configure.ts'
import { lockSecret, putSecret } from './store.ts'

/** Seals the client secrets of all workspaces with the current key. Throws after the last workspace if one of them failed. */
export async function resealProviders(services: Pick<Services, 'db' | 'key' | 'log'>): Promise<Resealed> {
  const count = { sealed: 0, lost: 0 }
  const { failed } = await everyWorkspace(services, 'reseal single sign-on', allWorkspaces, (workspaceId) =>
    inWorkspace(services.db.accounts, workspaceId, async (tx) => {
      const sealed = await lockSecret(tx, workspaceId)
      if (sealed === null) return
      const belonging = sealedForProvider(workspaceId)
      try {
        await putSecret(tx, workspaceId, seal(services.key, open(services.key, sealed, belonging), belonging))
        count.sealed += 1
      } catch (error) {
        if (!(error instanceof SealError)) throw error
        count.lost += 1
      }
    }),
  )
  if (failed.length > 0) {
    throw new Error(`The secrets of ${failed.length} workspaces were not sealed with the new key. Run this again.`)
  }
  return count
}
