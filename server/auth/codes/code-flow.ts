import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from '../account/store.ts'
import { recordAudit } from '../record-audit.ts'
import type { AuthMethod } from '../sessions/access-token.ts'
import { type IssuedSession, issueSession, type RequestOrigin } from '../sessions/issue-session.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { inSignIn } from '../sessions/sign-in-transaction.ts'
import { type CodeFlowRow, deleteFlow, insertCodeFlow, lockCodeFlow } from './store.ts'

/** Why a code was not exchanged. */
export type ExchangeRefusal = 'unknown' | 'expired' | 'verifier' | 'banned'

/** The identity provider's tokens, for calls of its API. It issues a refresh token only on request. */
export type ProviderTokens = { accessToken: string; refreshToken: string | null }

const CODE_MS = 5 * 60_000

/**
 * Creates the code with which a browser returns to the client (PKCE). It can be exchanged once, within five minutes, with the
 * challenge's verifier.
 */
export async function makeCode(
  services: Pick<Services, 'now' | 'key'>,
  tx: AccountTx,
  given: {
    accountId: string
    provider: string
    method: AuthMethod['method']
    codeChallenge: string
    redirectTo: string
    isFirst?: boolean
    /** The identity provider's tokens, which the client receives with the session. */
    provided?: ProviderTokens
  },
): Promise<string> {
  const { provided, ...flow } = given
  const id = randomUUID()
  const code = randomUUID()
  const at = services.now()
  const expiresAt = new Date(at.getTime() + CODE_MS)
  const sealedProviderTokens = provided ? seal(services.key, JSON.stringify(provided), sealedForCode(id)) : null
  const row = { id, codeHash: hashToken(code), sealedProviderTokens, at, expiresAt }
  await insertCodeFlow(tx, { isFirst: false, ...flow, ...row })
  return code
}

/** Exchanges a code for a session. The code is used up even when the account was banned in the meantime. */
export async function exchangeCode(
  services: Services,
  given: { code: string; verifier: string },
  request: RequestOrigin,
): Promise<{ session: IssuedSession; provided: ProviderTokens | null } | ExchangeRefusal> {
  const codeHash = hashToken(given.code)
  const found = await withoutWorkspace(services.db.accounts, (tx) => lockCodeFlow(tx, codeHash))
  if (!found) return 'unknown'
  return inSignIn(services, { accountId: found.accountId }, async (tx) => {
    const flow = await lockCodeFlow(tx, codeHash)
    if (!flow) return 'unknown'
    const at = services.now()
    if (flow.expiresAt <= at) return 'expired'
    if (!fits(flow.codeChallenge, given.verifier)) return 'verifier'
    await deleteFlow(tx, flow.id)
    const method = flow.method as AuthMethod['method']
    const { accountId, isFirst } = flow
    const account = await lockAccount(tx, accountId)
    if (!account) return 'unknown'
    if (account.bannedUntil !== null && account.bannedUntil > at) {
      const detail = { why: 'banned', method }
      await recordAudit(tx, { action: 'session.refused', at, actorId: null, accountId, request, detail })
      return 'banned'
    }
    const session = await issueSession(services, tx, accountId, { methods: [method], request, isFirst })
    const detail = { method, session_id: session.sessionId }
    await recordAudit(tx, { action: 'session.started', at, actorId: accountId, accountId, request, detail })
    return { session, provided: providedOf(services, flow) }
  })
}

/** Null when there are none, and when their sealing key is no longer known: the sign-in does not depend on them. */
function providedOf(services: Pick<Services, 'key'>, { id, sealedProviderTokens }: CodeFlowRow): ProviderTokens | null {
  if (sealedProviderTokens === null) return null
  try {
    return JSON.parse(open(services.key, sealedProviderTokens, sealedForCode(id))) as ProviderTokens
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

function sealedForCode(id: string): string {
  return `flow_state:${id}:provider`
}

function fits(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const given = Buffer.from(challenge)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
