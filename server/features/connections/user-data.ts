import type { Tx } from '../../platform/db/tenant.ts'
import { liveConnectionRows } from './store.ts'
import { describeConnection } from './view.ts'

/** The fields that the live connections add to the signed-in user's data. */
export async function userDataOf(tx: Tx, workspaceId: string): Promise<Record<string, unknown>> {
  const live = (await liveConnectionRows(tx, workspaceId)).filter((connection) => !connection.signedOut)
  return Object.assign({}, ...live.map((connection) => describeConnection(connection).userData))
}
