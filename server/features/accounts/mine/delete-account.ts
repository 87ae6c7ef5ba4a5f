import type { DeletionProof } from '@groundswell/contract/my-account.ts'
import { inAccount, type Tx } from '../../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { removeConnections } from '../../connections/index.ts'
import { removeInsights } from '../../insights/index.ts'
import { membershipsOf, removeWorkspace, workspaceFacts } from '../../workspaces/index.ts'
import { deleteAccountRow, findAccountById, lockAccount } from '../account/store.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { factorsOf } from '../factors/store.ts'
import { takeCode } from '../factors/verify.ts'
import { tryPassword } from '../passwords/attempt.ts'
import { findLiveSession } from '../sessions/store.ts'
import { enterWorkspace } from './store.ts'

/** What goes with an account. */
export type Deletion = { proof: DeletionProof; words: string; workspaces: { name: string; goes: boolean }[] }

type Goes = { workspaceId: string; name: string; goes: boolean }

const RECENT_MS = 10 * 60_000

/** What would go with the account of a caller, and what proves that they mean it. */
export function previewDeletion(services: Services, caller: Caller): Promise<Deletion> {
  return inAccount(services.db, caller.accountId, async (tx) => {
    const places = await whatGoes(tx, caller.accountId)
    return {
      proof: await proofOf(tx, caller.accountId),
      words: wordsOf(places),
      workspaces: places.map(({ name, goes }) => ({ name, goes })),
    }
  })
}

/**
 * Deletes the account of a caller with all its sign-ins, and every workspace that nobody else owns with everything in it. All
 * or nothing. False when the proof is not right.
 */
export async function deleteAccount(
  services: Services,
  caller: Caller,
  given: { password?: string; code?: string },
  request: Pick<RequestFacts, 'address' | 'headers'>,
): Promise<boolean> {
  const proof = await inAccount(services.db, caller.accountId, (tx) => proofOf(tx, caller.accountId))
  if (proof === 'password' && !(await isPassword(services, caller.accountId, given.password, request))) return false
  return inAccount(services.db, caller.accountId, async (tx) => {
    const at = services.now()
    if (!(await lockAccount(tx, caller.accountId))) return false
    if (proof === 'code' && !(await takeCode(services, tx, caller.accountId, given.code ?? ''))) return false
    if (proof === 'recent-sign-in' && !(await isRecent(tx, caller.session.id, at))) return false
    await removePerson(tx, caller.accountId, { actorId: caller.accountId, request, at })
    return true
  })
}

/**
 * Deletes an account with all its sign-ins, and every workspace that nobody else owns with everything in it. The transaction
 * must be of that account. `actorId` is null for an operator.
 */
export async function removePerson(
  tx: Tx,
  accountId: string,
  by: { actorId: string | null; request: Pick<RequestFacts, 'address' | 'headers'>; at: Date },
): Promise<void> {
  const deed = { action: 'account.deleted' as const, accountId, ...by }
  for (const { workspaceId, goes } of await whatGoes(tx, accountId)) {
    await enterWorkspace(tx, workspaceId)
    if (goes) await deleteWorkspace(tx, workspaceId)
    else await recordAudit(tx, { ...deed, workspaceId })
  }
  await recordAudit(tx, { ...deed, workspaceId: null })
  await deleteAccountRow(tx, accountId, by.at)
}

/** What refers goes before what it refers to: connections with their feedback and deliveries, then insights. */
async function deleteWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await removeConnections(tx, workspaceId)
  await removeInsights(tx, workspaceId)
  await removeWorkspace(tx, workspaceId)
}

async function whatGoes(tx: Tx, accountId: string): Promise<Goes[]> {
  const found: Goes[] = []
  for (const { workspaceId, role } of await membershipsOf(tx, accountId)) {
    await enterWorkspace(tx, workspaceId)
    const facts = await workspaceFacts(tx, workspaceId, accountId)
    if (facts) found.push({ workspaceId, name: facts.name, goes: role === 'owner' && !facts.hasOtherOwner })
  }
  return found
}

function wordsOf(places: readonly Goes[]): string {
  const going = places.filter(({ goes }) => goes).map(({ name }) => `“${name}”`)
  if (going.length === 0) return 'Your account and its sign-ins are deleted. This cannot be undone.'
  const named = going.length === 1 ? `The workspace ${going[0]} goes` : `The workspaces ${going.join(', ')} go`
  return `${named} with your account: feedback, insights, deliveries and connections. This cannot be undone.`
}

async function proofOf(tx: Tx, accountId: string): Promise<DeletionProof> {
  const account = await findAccountById(tx, accountId)
  if (account?.passwordHash) return 'password'
  const factors = await factorsOf(tx, accountId)
  return factors.some(({ status, sealedSecret }) => status === 'verified' && sealedSecret !== null)
    ? 'code'
    : 'recent-sign-in'
}

async function isPassword(
  services: Services,
  accountId: string,
  password: string | undefined,
  { address }: Pick<RequestFacts, 'address'>,
): Promise<boolean> {
  const account = await inAccount(services.db, accountId, (tx) => findAccountById(tx, accountId))
  return account !== null && tryPassword(services, { email: account.email, account }, password ?? '', address)
}

async function isRecent(tx: Tx, sessionId: string, at: Date): Promise<boolean> {
  const session = await findLiveSession(tx, sessionId, at)
  return session !== null && at.getTime() - session.createdAt.getTime() < RECENT_MS
}
