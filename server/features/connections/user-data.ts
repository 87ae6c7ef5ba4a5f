import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { liveConnectionRows } from './store.ts'
import { describeConnection } from './view.ts'

/** The fields that the live connections add to the signed-in user's data. */
export async function userDataOf(
  services: Pick<Services, 'key'>,
  tx: Tx,
  workspaceId: string,
): Promise<Record<string, unknown>> {
  const live = (await liveConnectionRows(tx, workspaceId)).filter((connection) => !connection.signedOut)
  return Object.assign({}, ...live.map((connection) => describeConnection(services, connection).userData))
}
