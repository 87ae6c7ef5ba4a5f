import type { LastTest } from '@groundswell/contract/connections.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { type Connection, changeConnection } from '../store.ts'

/** Stores the outcome of a test for the tile. A successful one also clears the tile's error, unless that explains a pause. */
export async function storeTestOutcome(
  services: Services,
  { workspaceId, id, paused }: Connection,
  result: Omit<LastTest, 'at'>,
): Promise<void> {
  const lastTest = { at: services.now().toISOString(), ...result }
  await inWorkspace(services.db, workspaceId, (tx) =>
    changeConnection(tx, workspaceId, id, { lastTest, ...(result.ok && !paused ? { error: null } : {}) }),
  )
}
