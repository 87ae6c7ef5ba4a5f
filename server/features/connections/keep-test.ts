import type { LastTest } from '@groundswell/contract/connections.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, changeConnection } from './store.ts'

/** Keeps what came of a test for the tile. One that went well also clears the tile's error, unless that says why it is paused. */
export async function keepTest(
  services: Services,
  { workspaceId, id, paused }: Connection,
  result: Omit<LastTest, 'at'>,
): Promise<void> {
  const lastTest = { at: services.now().toISOString(), ...result }
  await inWorkspace(services.db, workspaceId, (tx) =>
    changeConnection(tx, workspaceId, id, { lastTest, ...(result.ok && !paused ? { error: null } : {}) }),
  )
}
