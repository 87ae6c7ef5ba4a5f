import * as z from 'zod/mini'
import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { RequestFacts } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { findAccount } from '../account/store.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { prepareTokenMail } from '../mail/mail-token.ts'
import { limits } from '../throttle/limits.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { spendMail } from './mail-limits.ts'
import { redirectTarget } from './redirects.ts'
import { Challenge, Email, RedirectQuery } from './schemas.ts'

const Recover = z.object({ email: Email, ...Challenge })
const Resend = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change']),
  email: z.nullish(Email),
  ...Challenge,
})

/**
 * The calls that send mail. Their answers do not say whether there is such an account, nor does the time they take: they are
 * answered before it is looked for.
 */
export function mailCalls(services: Services): AuthCall[] {
  const recover = authCall(
    { method: 'POST', path: '/recover', access: 'public', limit: 'otp', query: RedirectQuery, body: Recover },
    async ({ body, query, request }) => {
      const { email, code_challenge: codeChallenge = null } = body
      spendMail(limits(services), `recovery ${email}`, request, services.now())
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      unanswered(request, async () => {
        const send = await withoutWorkspace(services.db, async (tx) => {
          const account = await findAccount(tx, email)
          if (!account) return null
          const mail = { accountId: account.id, kind: 'recovery' as const, email, redirectTo, codeChallenge }
          const at = services.now()
          await recordAudit(tx, {
            action: 'password.recovery_asked',
            at,
            actorId: null,
            accountId: account.id,
            request,
          })
          return prepareTokenMail(services, tx, mail)
        })
        send?.()
      })
      return json({})
    },
  )

  const resend = authCall(
    { method: 'POST', path: '/resend', access: 'public', limit: 'otp', query: RedirectQuery, body: Resend },
    async ({ body, query, request }) => {
      const { type, email, code_challenge: codeChallenge = null } = body
      if (type === 'sms' || type === 'phone_change') {
        throw new AuthError('phone_provider_disabled', 'Nobody signs in by phone here')
      }
      if (!email) throw new AuthError('validation_failed', 'Type provided requires an email address')
      const kind = type === 'signup' ? 'confirm' : 'email_change'
      spendMail(limits(services), `${kind} ${email}`, request, services.now())
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      unanswered(request, async () => {
        const send = await withoutWorkspace(services.db, async (tx) => {
          const account = await findAccount(tx, email)
          if (!account) return null
          const to = kind === 'confirm' ? email : account.newEmail
          if (to === null || (kind === 'confirm' && account.emailConfirmedAt !== null)) return null
          return prepareTokenMail(services, tx, { accountId: account.id, kind, email: to, redirectTo, codeChallenge })
        })
        send?.()
      })
      return json({})
    },
  )

  const noCodes = async () => {
    throw new AuthError('otp_disabled', 'Signing in by a mailed code is off here')
  }
  const otp = authCall({ method: 'POST', path: '/otp', access: 'public', limit: 'otp' }, noCodes)
  const magicLink = authCall({ method: 'POST', path: '/magiclink', access: 'public', limit: 'otp' }, noCodes)
  return [recover, resend, otp, magicLink]
}

/** Does what an answer does not wait for. What fails is logged: the person asks again when no mail comes. */
function unanswered(request: RequestFacts, work: () => Promise<void>): void {
  const { log } = request
  void work().catch((error: Error) => log.error({ err: error.message }, 'a mail that was asked for was not made'))
}
