import type { DeletionProof } from '@groundswell/contract/accounts/my-account.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { lockMembers, membershipsOf, workspaceFacts } from '../../features/workspaces/index.ts'
import { type AccountTx, inAccount, switchWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { keepIndependentOwner } from '../sso/independent-owner.ts'
import { spend } from '../throttle/limits.ts'
import { beginErasure } from './erase-workspace.ts'
import { checkProof, type GivenProof, proofOf } from './proof.ts'
import { deleteAccountRow, lockAccount } from './store.ts'

/** What is deleted together with an account. */
export type Deletion = { proof: DeletionProof; words: string; workspaces: { name: string; goes: boolean }[] }

/** `goes`: nobody else is in it. `needsOwner`: others are, and none of them is an owner. */
type AffectedWorkspace = { workspaceId: string; name: string; goes: boolean; needsOwner: boolean }

/** What would be deleted with the caller's account, and the proof that deletion requires. */
export function previewDeletion(services: Services, caller: Caller): Promise<Deletion> {
  return inAccount(services.db.accounts, caller.accountId, async (tx) => {
    const places = await affectedWorkspaces(tx, caller.accountId)
    return {
      proof: await proofOf(services, tx, caller.accountId),
      words: describeDeletion(places),
      workspaces: places.map(({ name, goes }) => ({ name, goes })),
    }
  })
}

/**
 * Deletes the caller's account with all its sessions, and every workspace in which no one else is, in one transaction. False
 * when the proof is wrong. Throws `too_many_requests`, and `conflict` for the last owner of a workspace in which others are.
 */
export async function deleteAccount(
  services: Services,
  caller: Caller,
  given: GivenProof,
  request: RequestFacts,
): Promise<boolean> {
  await spend(services, { limit: 'login', address: request.address, subject: `delete ${caller.accountId}` })
  const proof = await checkProof(services, caller, given, request)
  return inAccount(services.db.accounts, caller.accountId, async (tx) => {
    const at = services.now()
    if (!(await lockAccount(tx, caller.accountId)) || !(await proof.holds(tx))) return false
    await removePerson(services, tx, caller.accountId, { actorId: caller.accountId, request, at })
    return true
  })
}

/**
 * Deletes an account with all its sessions, and erases every workspace in which no one else is. Throws `conflict` for the last owner of one
 * in which others are. The transaction must be of that account. `actorId` is null for an operator.
 */
export async function removePerson(
  services: Services,
  tx: AccountTx,
  accountId: string,
  by: { actorId: string | null; request: Pick<RequestFacts, 'address' | 'headers'>; at: Date },
): Promise<void> {
  const event = { action: 'account.deleted' as const, accountId, ...by }
  for (const { workspaceId } of byId(await membershipsOf(tx, accountId))) await lockMembers(tx, workspaceId)
  for (const { workspaceId, goes, needsOwner, name } of await affectedWorkspaces(tx, accountId)) {
    if (needsOwner) throw new ContractError('conflict', `“${name}” needs another owner first, in Settings › Team`)
    await switchWorkspace(tx, workspaceId)
    if (!goes) await keepIndependentOwner(tx, workspaceId, accountId)
    if (goes) await beginErasure(services, tx, workspaceId, by.at)
    else await recordAudit(tx, { ...event, workspaceId })
  }
  await recordAudit(tx, { ...event, workspaceId: null })
  await deleteAccountRow(tx, accountId, by.at)
}

async function affectedWorkspaces(tx: AccountTx, accountId: string): Promise<AffectedWorkspace[]> {
  const found: AffectedWorkspace[] = []
  for (const { workspaceId, role } of await membershipsOf(tx, accountId)) {
    await switchWorkspace(tx, workspaceId)
    const facts = await workspaceFacts(tx, workspaceId, accountId)
    if (!facts) continue
    const isLast = role === 'owner' && !facts.hasOtherOwner
    found.push({
      workspaceId,
      name: facts.name,
      goes: isLast && !facts.hasOthers,
      needsOwner: isLast && facts.hasOthers,
    })
  }
  return found
}

/** In one order for everyone, so that two people who delete their accounts do not wait for each other. */
function byId<T extends { workspaceId: string }>(places: readonly T[]): T[] {
  return places.toSorted((one, other) => (one.workspaceId < other.workspaceId ? -1 : 1))
}

function describeDeletion(places: readonly AffectedWorkspace[]): string {
  const kept = places.find(({ needsOwner }) => needsOwner)
  if (kept) {
    return `You are the only owner of “${kept.name}”, where others work. Make one of them an owner first, in Settings › Team, or delete the workspace.`
  }
  const going = places.filter(({ goes }) => goes).map(({ name }) => `“${name}”`)
  if (going.length === 0) return 'Your account and its sessions are deleted. This cannot be undone.'
  const named = going.length === 1 ? `The workspace ${going[0]} is` : `The workspaces ${going.join(', ')} are`
  const all = 'feedback, insights, deliveries and connections'
  const after = 'Sign-ins at providers are ended. Backups hold a copy until they are replaced.'
  return `${named} deleted with your account: ${all}. This cannot be undone. ${after}`
}
