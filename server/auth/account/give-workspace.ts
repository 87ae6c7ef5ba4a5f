import { randomUUID } from 'node:crypto'
import { insertWorkspace, workplaceOf } from '../../features/workspaces/index.ts'
import { type AccountTx, switchWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import { recordAudit } from '../record-audit.ts'
import { lockAccount } from './store.ts'

/**
 * Gives an account that is in no workspace, since it left or was removed from the last, an empty one of its own, and returns its id. Two
 * sign-ins at once make one. The transaction is of that workspace afterwards.
 */
export async function giveWorkspace(
  tx: AccountTx,
  accountId: string,
  at: Date,
  request?: Pick<RequestFacts, 'address' | 'headers'>,
): Promise<string> {
  const account = await lockAccount(tx, accountId)
  if (!account) throw new Error(`there is no account ${accountId}`)
  const found = await workplaceOf(tx, accountId)
  if (found !== null) return found
  const workspaceId = randomUUID()
  await switchWorkspace(tx, workspaceId)
  await insertWorkspace(tx, workspaceId, account.name, accountId)
  const by = { at, actorId: accountId, accountId, workspaceId, ...(request ? { request } : {}) }
  await recordAudit(tx, { ...by, action: 'workspace.made' })
  return workspaceId
}
