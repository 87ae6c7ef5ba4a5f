import { ContractError } from '@groundswell/contract/errors.ts'
import type { KeyScope } from '@groundswell/contract/route.ts'
import { lockMembers, roleIn } from '../../features/workspaces/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { labelOf, makeApiKey } from './api-key.ts'
import { deleteKey, insertKey, type KeyRow, keysOfWorkspace } from './store.ts'

type Origin = Pick<RequestFacts, 'address' | 'headers'>

const MAX_KEYS = 100
const DAY_MS = 86_400_000

/** The API keys of a workspace, the newest first. */
export function listKeys(services: Services, workspaceId: string): Promise<KeyRow[]> {
  return inWorkspace(services.db.accounts, workspaceId, (tx) => keysOfWorkspace(tx, workspaceId))
}

/** Creates a key of the caller and returns it with its token, which is stored nowhere. Throws `conflict` when there are too many. */
export function createKey(
  services: Services,
  caller: Caller,
  given: { name: string; scopes: readonly KeyScope[]; days: number | null },
  request: Origin,
): Promise<{ key: KeyRow; token: string }> {
  const { accountId, workspaceId, email: madeBy } = caller
  const createdAt = services.now()
  const expiresAt = given.days === null ? null : new Date(createdAt.getTime() + given.days * DAY_MS)
  const { token, tokenHash, tokenStart } = makeApiKey()
  const key = { accountId, name: given.name, scopes: [...new Set(given.scopes)], tokenStart, createdAt, expiresAt }
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockMembers(tx, workspaceId)
    const role = await roleIn(tx, workspaceId, accountId)
    if (role === null || role === 'viewer') throw new ContractError('forbidden', 'Only members may create API keys')
    const id = await insertKey(tx, workspaceId, { ...key, tokenHash }, MAX_KEYS)
    if (id === null) {
      throw new ContractError('conflict', `There are already ${MAX_KEYS} API keys: revoke one that is not used`)
    }
    const detail = { api_key: labelOf(key), scopes: key.scopes.join(' '), expires: expiresAt?.toISOString() ?? 'never' }
    await recordAudit(tx, {
      action: 'api_key.created',
      at: createdAt,
      actorId: accountId,
      accountId,
      workspaceId,
      request,
      detail,
    })
    return { key: { ...key, id, madeBy, lastUsedAt: null }, token }
  })
}

/** Revokes a key of the caller's workspace, in every process at once. Throws `not_found`. */
export function revokeKey(services: Services, caller: Caller, id: string, request: Origin): Promise<void> {
  const { accountId, workspaceId } = caller
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    const gone = await deleteKey(tx, workspaceId, id)
    if (!gone) throw new ContractError('not_found', 'There is no such API key')
    const by = { at: services.now(), actorId: accountId, accountId: gone.accountId, workspaceId, request }
    await recordAudit(tx, { action: 'api_key.revoked', ...by, detail: { api_key: labelOf(gone) } })
  })
}
