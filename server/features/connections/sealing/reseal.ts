import { inWorkspace } from '../../../platform/db/tenant.ts'
import { open, SealError, seal } from '../../../platform/secrets/seal.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { allWorkspaces } from '../../../platform/sweep/store.ts'
import { appSealedFor } from '../sign-in/provider-app.ts'
import { writeSealedApp } from '../sign-in/provider-app-store.ts'
import { sealedForSubscription } from '../subscriptions/subscription-key.ts'
import {
  lockApps,
  lockConnectionSecrets,
  lockSubscriptionSecrets,
  writeConnectionSecrets,
  writeSubscriptionSecrets,
} from './reseal-store.ts'
import { sealedForConnection } from './secrets.ts'

/** How many secrets were sealed again, and how many no known key opens. */
export type Resealed = { sealed: number; lost: number }

/** Seals the secrets of all connections and apps with the current key. Throws after the last workspace if one of them failed. */
export async function resealConnections(services: Pick<Services, 'db' | 'key' | 'log'>): Promise<Resealed> {
  const total = { sealed: 0, lost: 0 }
  const { failed } = await everyWorkspace(services, 'reseal', allWorkspaces, async (workspaceId) => {
    const { sealed, lost } = await resealWorkspace(services, workspaceId)
    total.sealed += sealed
    total.lost += lost
  })
  if (failed.length > 0) {
    throw new Error(`The secrets of ${failed.length} workspaces were not sealed with the new key. Run this again.`)
  }
  return total
}

function resealWorkspace({ db, key }: Pick<Services, 'db' | 'key'>, workspaceId: string): Promise<Resealed> {
  return inWorkspace(db, workspaceId, async (tx) => {
    const count = { sealed: 0, lost: 0 }
    for (const { id, sealed } of await lockConnectionSecrets(tx, workspaceId)) {
      const again = resealed(key, sealed, sealedForConnection(id), count)
      if (again === null) continue
      await writeConnectionSecrets(tx, workspaceId, id, again)
    }
    for (const { id, sealed } of await lockSubscriptionSecrets(tx, workspaceId)) {
      const again = resealed(key, sealed, sealedForSubscription(id), count)
      if (again === null) continue
      await writeSubscriptionSecrets(tx, workspaceId, id, again)
    }
    for (const { connector, sealed } of await lockApps(tx, workspaceId)) {
      const again = resealed(key, sealed, appSealedFor(workspaceId, connector), count)
      if (again === null) continue
      await writeSealedApp(tx, workspaceId, connector, again)
    }
    return count
  })
}

function resealed(key: Services['key'], sealed: string, belonging: string, count: Resealed): string | null {
  try {
    const again = seal(key, open(key, sealed, belonging), belonging)
    count.sealed += 1
    return again
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    count.lost += 1
    return null
  }
}
