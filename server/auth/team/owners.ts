import { ContractError } from '@groundswell/contract/errors.ts'
import type { Role } from '@groundswell/contract/values/role.ts'
import { roleIn, rolesIn } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'

type Place = Pick<Caller, 'workspaceId' | 'accountId'>

/**
 * Throws `forbidden` unless the caller is an owner now: they may have been demoted or removed since the call was let in. The transaction
 * must hold the lock of the members.
 */
export async function requireOwner(tx: AccountTx, { workspaceId, accountId }: Place): Promise<void> {
  if ((await roleIn(tx, workspaceId, accountId)) === 'owner') return
  throw new ContractError('forbidden', 'Only an owner of this workspace may do this')
}

/** Throws `conflict` when the account is the only owner. The transaction must be of that workspace and hold the lock of its members. */
export async function keepAnOwner(tx: AccountTx, { workspaceId, accountId }: Place): Promise<void> {
  const owners = (await rolesIn(tx, workspaceId)).filter(({ role }) => role === 'owner')
  if (owners.some((one) => one.accountId !== accountId) || owners.length === 0) return
  throw new ContractError('conflict', 'A workspace needs an owner: make somebody else an owner first')
}

/** What a person is in the caller's workspace. Throws `not_found` when they are not in it. */
export async function requireMember(tx: AccountTx, workspaceId: string, accountId: string): Promise<Role> {
  const role = await roleIn(tx, workspaceId, accountId)
  if (role === null) throw new ContractError('not_found', 'This person is no longer in the workspace')
  return role
}
