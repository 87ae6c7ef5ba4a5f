import { sql } from 'kysely'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { appSealedFor } from './provider-app.ts'
import { writeSealedApp } from './provider-app-store.ts'
import { lockApps, lockConnectionSecrets, writeConnectionSecrets } from './reseal-store.ts'
import { sealedForConnection } from './secrets.ts'

/** How many secrets were sealed anew, and how many no key that is known opens. */
export type Resealed = { sealed: number; lost: number }

/** Seals the secrets of all connections and apps with the current key, a workspace at a time. */
export async function resealConnections(services: Pick<Services, 'db' | 'key'>): Promise<Resealed> {
  const total = { sealed: 0, lost: 0 }
  const ids = await withoutWorkspace(services.db, async (tx) => {
    const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id`.execute(tx)
    return rows.map((row) => row.id)
  })
  for (const workspaceId of ids) {
    const { sealed, lost } = await resealWorkspace(services, workspaceId)
    total.sealed += sealed
    total.lost += lost
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
