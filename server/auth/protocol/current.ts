import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountRow, findAccountById } from '../account/store.ts'
import type { PersonClaims } from '../sessions/access-token.ts'
import { findLiveSession, findStanding, type SessionRow } from '../sessions/store.ts'
import { AuthError } from './auth-error.ts'

/** The current state of a caller. `aal` is the lower of the token's and the session's level. */
export type Current = {
  account: AccountRow
  session: SessionRow
  aal: 'aal1' | 'aal2'
  hasSecondFactor: boolean
}

/** The current account and session of a token. Throws when the session has ended or the account is deleted or banned. */
export async function currentPerson(
  services: Pick<Services, 'now'>,
  tx: AccountTx,
  claims: PersonClaims,
): Promise<Current> {
  const at = services.now()
  const account = await findAccountById(tx, claims.sub)
  if (!account) throw new AuthError('user_not_found', 'User from sub claim in JWT does not exist')
  const session = await findLiveSession(tx, claims.session_id, at)
  if (!session || session.accountId !== account.id) {
    throw new AuthError('session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  if (account.bannedUntil !== null && account.bannedUntil > at) {
    throw new AuthError('user_banned', 'This account is banned', { status: 403 })
  }
  const standing = await findStanding(tx, session.id, at)
  const aal = claims.aal === 'aal2' && session.aal === 'aal2' ? 'aal2' : 'aal1'
  return { account, session, aal, hasSecondFactor: standing?.hasSecondFactor ?? false }
}

/** The same in its own transaction. */
export function readCurrent(services: Services, claims: PersonClaims): Promise<Current> {
  return withoutWorkspace(services.db.accounts, (tx) => currentPerson(services, tx, claims))
}

/** Throws `insufficient_aal` when the account has a second factor that the session has not passed. */
export function requireSecondFactor({ aal, hasSecondFactor }: Current): void {
  if (aal === 'aal1' && hasSecondFactor) {
    throw new AuthError('insufficient_aal', 'AAL2 session is required: enter the code of your second factor first')
  }
}
