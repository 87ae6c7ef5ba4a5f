import type { DeletionProof } from '@groundswell/contract/accounts/my-account.ts'
import { type AccountTx, inAccount } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { factorsOf } from '../factors/store.ts'
import { takeCode } from '../factors/verify.ts'
import { claimsOf } from '../hosted/claims-of.ts'
import { tryPassword } from '../passwords/attempt.ts'
import { findLiveSession } from '../sessions/store.ts'
import { findAccountById } from './store.ts'

/** What a person gives as proof; nothing when they have signed in recently. */
export type GivenProof = { password?: string | undefined; code?: string | undefined }

/** The proof that is needed, and the part of the check that belongs to the transaction of the change: a code is used up there. */
type Proof = { kind: DeletionProof; holds(tx: AccountTx): Promise<boolean> }

const RECENT_MS = 10 * 60_000

/** The proof that a person has to give before an account or a workspace is deleted. Where a hosted project signs people in, a recent sign-in. */
export async function proofOf(services: Services, tx: AccountTx, accountId: string): Promise<DeletionProof> {
  if (services.config.hostedAuth) return 'recent-sign-in'
  const account = await findAccountById(tx, accountId)
  if (account?.passwordHash) return 'password'
  const factors = await factorsOf(tx, accountId)
  return factors.some(({ status, sealedSecret }) => status === 'verified' && sealedSecret !== null)
    ? 'code'
    : 'recent-sign-in'
}

/** Checks the proof as far as that is possible outside of the transaction of the change. Throws `too_many_requests`. */
export async function checkProof(
  services: Services,
  { accountId, session }: Caller,
  { password = '', code = '' }: GivenProof,
  request: RequestFacts,
): Promise<Proof> {
  const read = await inAccount(services.db.accounts, accountId, async (tx) => ({
    kind: await proofOf(services, tx, accountId),
    account: await findAccountById(tx, accountId),
  }))
  const { kind, account } = read
  if (kind === 'code') return { kind, holds: (tx) => takeCode(services, tx, accountId, code) }
  if (kind === 'password') {
    const { address } = request
    const isRight =
      account !== null && (await tryPassword(services, { email: account.email, account }, password, address))
    return { kind, holds: async () => isRight }
  }
  if (!services.config.hostedAuth) return { kind, holds: (tx) => isRecent(tx, session.id, services.now()) }
  const { claims } = await claimsOf(services, request)
  const provenAt = Math.max(0, ...claims.amr.map(({ timestamp }) => timestamp * 1_000))
  const isFresh = services.now().getTime() - provenAt <= RECENT_MS
  return { kind, holds: async () => isFresh }
}

async function isRecent(tx: AccountTx, sessionId: string, at: Date): Promise<boolean> {
  const session = await findLiveSession(tx, sessionId, at)
  return session !== null && at.getTime() - session.createdAt.getTime() < RECENT_MS
}
