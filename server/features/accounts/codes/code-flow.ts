import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { inAccount, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AuthMethod } from '../sessions/access-token.ts'
import { type From, type IssuedSession, issueSession } from '../sessions/issue-session.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { deleteFlow, insertCodeFlow, lockCodeFlow } from './store.ts'

/** Why a code is not exchanged. */
export type ExchangeRefusal = 'unknown' | 'expired' | 'verifier'

const CODE_MS = 5 * 60_000

/**
 * Makes the code with which a browser comes back to the client (PKCE). Only who holds the verifier of the challenge can
 * exchange it, within five minutes, once.
 */
export async function makeCode(
  services: Pick<Services, 'now'>,
  tx: Tx,
  given: {
    accountId: string
    provider: string
    method: AuthMethod['method']
    codeChallenge: string
    redirectTo: string
    isFirst?: boolean
  },
): Promise<string> {
  const code = randomUUID()
  const at = services.now()
  const expiresAt = new Date(at.getTime() + CODE_MS)
  await insertCodeFlow(tx, { isFirst: false, ...given, codeHash: hashToken(code), at, expiresAt })
  return code
}

/** Exchanges a code for a sign-in. */
export async function exchangeCode(
  services: Services,
  given: { code: string; verifier: string },
  request: From,
): Promise<IssuedSession | ExchangeRefusal> {
  const codeHash = hashToken(given.code)
  const found = await withoutWorkspace(services.db, (tx) => lockCodeFlow(tx, codeHash))
  if (!found) return 'unknown'
  return inAccount(services.db, found.accountId, async (tx) => {
    const flow = await lockCodeFlow(tx, codeHash)
    if (!flow) return 'unknown'
    const at = services.now()
    if (flow.expiresAt <= at) return 'expired'
    if (!fits(flow.codeChallenge, given.verifier)) return 'verifier'
    await deleteFlow(tx, flow.id)
    const method = flow.method as AuthMethod['method']
    const { accountId, isFirst } = flow
    const session = await issueSession(services, tx, accountId, { methods: [method], request, isFirst })
    const detail = { method, session_id: session.sessionId }
    await recordAudit(tx, { action: 'session.started', at, actorId: accountId, accountId, request, detail })
    return session
  })
}

function fits(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const given = Buffer.from(challenge)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
