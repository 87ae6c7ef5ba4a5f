import { ContractError } from '@groundswell/contract/errors.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { accountRows, findAccount } from '../account/store.ts'
import { recordAudit } from '../record-audit.ts'
import { endOwnSessions } from './end-own-sessions.ts'
import type { RequestOrigin } from './issue-session.ts'
import { knownTokens } from './known-tokens.ts'
import { endSessions, findLiveSession } from './store.ts'

/** Ends the session of the caller. Throws `mfa_required` when the session has a second factor that this token lacks. */
export async function signOut(services: Services, caller: Caller, request: RequestOrigin): Promise<void> {
  const at = services.now()
  const { accountId, workspaceId, session } = caller
  await withoutWorkspace(services.db.accounts, async (tx) => {
    await endOwnSessions(tx, { accountId, aal: session.aal }, at, { only: session.id })
    if (await findLiveSession(tx, session.id, at)) {
      throw new ContractError('mfa_required', 'This token was issued before the second factor was passed')
    }
    await recordAudit(tx, { action: 'session.ended', at, actorId: accountId, accountId, workspaceId, request })
  })
  knownTokens(services).note('session', [session.id], at)
}

/** Ends sessions of the caller's account, all unless `which` narrows it, and returns how many. */
export async function endCallersSessions(
  services: Services,
  caller: Caller,
  request: RequestOrigin,
  which: { only?: string; except?: string },
): Promise<number> {
  const at = services.now()
  const { accountId, workspaceId, session } = caller
  const ended = await withoutWorkspace(services.db.accounts, async (tx) => {
    const ids = await endOwnSessions(tx, { accountId, aal: session.aal }, at, which)
    const event = { actorId: accountId, accountId, workspaceId, request, at }
    if (ids.length > 0) await recordAudit(tx, { ...event, action: 'session.ended', detail: { sessions: ids.length } })
    return ids
  })
  knownTokens(services).note('session', ended, at)
  return ended.length
}

/**
 * Signs an account out everywhere, or with null every account, at an operator's request. Returns how many sessions that ended;
 * null: no such account. Throws `not_configured` where a hosted project manages the sessions.
 */
export function signOutEverywhere(services: Services, email: string | null): Promise<number | null> {
  if (services.config.hostedAuth) {
    throw new ContractError('not_configured', 'The hosted project manages sessions: end them there')
  }
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    const one = email === null ? null : await findAccount(tx, email.trim().toLowerCase())
    if (email !== null && !one) return null
    let ended = 0
    for (const { id } of one ? [one] : await accountRows(tx)) {
      const sessions = (await endSessions(tx, id, at)).length
      ended += sessions
      if (sessions === 0) continue
      await recordAudit(tx, { action: 'session.ended', at, actorId: null, accountId: id, detail: { sessions } })
    }
    return ended
  })
}
