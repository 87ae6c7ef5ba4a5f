import * as z from 'zod/mini'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { endOwnSessions } from '../sessions/end-own-sessions.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { findLiveSession } from '../sessions/store.ts'
import { type AuthCall, authCall } from './auth-call.ts'
import { AuthError, managedBySso } from './auth-error.ts'

const Query = z.object({ scope: z.optional(z.string()) })

/** Sign-out: of this session, of all others, or of all. An aal1 session cannot end aal2 sessions. */
export function logoutCalls(services: Services): AuthCall[] {
  const logout = authCall(
    { method: 'POST', path: '/logout', access: 'person', bySso: true, query: Query },
    async ({ person, query, request }) => {
      const { scope = 'global' } = query
      if (scope !== 'global' && scope !== 'local' && scope !== 'others') {
        throw new AuthError('validation_failed', 'scope: must be global, local or others')
      }
      const { sub: accountId, session_id, aal, groundswell } = person
      // Other sessions may act in other workspaces, for which a session of single sign-on is nobody.
      const bySso = groundswell.sso === 'made'
      if (bySso && scope === 'others') throw managedBySso()
      const own = { only: session_id }
      const which = { global: bySso ? own : {}, local: own, others: { except: session_id } }[scope]
      const at = services.now()
      const ended = await withoutWorkspace(services.db.accounts, async (tx) => {
        const current = await findLiveSession(tx, session_id, at)
        const level = aal === 'aal2' && current?.aal === 'aal2' ? 'aal2' : 'aal1'
        const ids = await endOwnSessions(tx, { accountId, aal: level }, at, which)
        if (current && scope !== 'others' && !ids.includes(current.id)) {
          throw new AuthError('insufficient_aal', 'This token was issued before the second factor was passed')
        }
        const event = { at, actorId: accountId, accountId, workspaceId: groundswell.workspace_id, request }
        if (ids.length > 0) await recordAudit(tx, { ...event, action: 'session.ended', detail: { scope } })
        return ids
      })
      knownTokens(services).note('session', ended, at)
      return { status: 204 }
    },
  )
  return [logout]
}
