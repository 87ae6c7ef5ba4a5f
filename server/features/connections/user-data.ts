import { connectors } from '@groundswell/connectors/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { liveConnectionRows } from './store.ts'
import { describeConnection } from './view.ts'

/** The connections' fields of the signed-in user's data: the values of live connections; for the others, that they are not connected. */
export async function userDataOf(
  services: Pick<Services, 'key'>,
  tx: Tx,
  workspaceId: string,
): Promise<Record<string, unknown>> {
  const live = (await liveConnectionRows(tx, workspaceId)).filter((connection) => !connection.signedOut)
  return Object.assign(
    {},
    ...connectors.map(({ manifest }) => manifest.unconnected),
    ...live.map((connection) => describeConnection(services, connection).userData),
  )
}
