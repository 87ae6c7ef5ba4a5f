import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { findAccount } from '../account/store.ts'
import type { TokenKind } from '../codes/store.ts'
import { prepareTokenMail } from '../mail/mail-token.ts'
import { recordAudit } from '../record-audit.ts'
import { verifyAccessToken } from '../sessions/access-token.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { RecoverBody, ResendBody } from './bodies.ts'
import { spendMail } from './mail-limits.ts'
import { redirectTarget } from './redirects.ts'
import { RedirectQuery } from './schemas.ts'
import { nameFrom } from './sign-up-calls.ts'

/** A sign-up without a password: the person chooses one after opening the link. */
const NOBODY = { passwordHash: null, userMetadata: {} }

/**
 * The calls that send mail. When several people signed up with an address, an unauthenticated request for another
 * confirmation does not identify a sign-up: its link completes none of them and leads to a new password. Neither the replies
 * nor their timing reveal whether an account exists: the reply is sent before it is looked up.
 */
export function mailCalls(services: Services): AuthCall[] {
  const recover = authCall(
    { method: 'POST', path: '/recover', access: 'public', limit: 'otp', query: RedirectQuery, body: RecoverBody },
    async ({ body, query, request }) => {
      const { email, code_challenge: codeChallenge = null } = body
      await spendMail(services, `recovery ${email}`, request)
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      inBackground(request, async () => {
        const send = await withoutWorkspace(services.db.accounts, async (tx) => {
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
    { method: 'POST', path: '/resend', access: 'public', limit: 'otp', query: RedirectQuery, body: ResendBody },
    async ({ body, query, request }) => {
      const { type, email, code_challenge: codeChallenge = null } = body
      if (type === 'sms' || type === 'phone_change') {
        throw new AuthError('phone_provider_disabled', 'Phone sign-in is disabled')
      }
      if (!email) throw new AuthError('validation_failed', 'Type provided requires an email address')
      const kind: TokenKind = type === 'signup' ? 'confirm' : 'email_change'
      await spendMail(services, `${kind} ${email}`, request)
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      inBackground(request, async () => {
        const send = await withoutWorkspace(services.db.accounts, async (tx) => {
          const account = await findAccount(tx, email)
          if (!account) return null
          const to = kind === 'confirm' ? email : account.newEmail
          const isOwn = !account.contested || (await isSignedInAs(services, account.id, request))
          const signUp = kind === 'confirm' && !isOwn ? { ...NOBODY, name: nameFrom(email) } : null
          if (to === null || (kind === 'confirm' && account.emailConfirmedAt !== null)) return null
          const mail = { accountId: account.id, kind, email: to, redirectTo, codeChallenge, signUp }
          return prepareTokenMail(services, tx, mail)
        })
        send?.()
      })
      return json({})
    },
  )

  const noCodes = async () => {
    throw new AuthError('otp_disabled', 'Sign-in by a mailed code is disabled')
  }
  const otp = authCall({ method: 'POST', path: '/otp', access: 'public', limit: 'otp' }, noCodes)
  const magicLink = authCall({ method: 'POST', path: '/magiclink', access: 'public', limit: 'otp' }, noCodes)
  return [recover, resend, otp, magicLink]
}

/** True when a request has a live session of this account. */
async function isSignedInAs(services: Services, accountId: string, { headers }: RequestFacts): Promise<boolean> {
  const token = /^bearer +(\S+)$/i.exec(headers.authorization?.toString() ?? '')?.[1]
  const verified = token === undefined ? null : await verifyAccessToken(services, token)
  return verified?.kind === 'person' && verified.claims.sub === accountId
}

/** Runs work that the reply does not wait for. Failures are logged; the person requests another mail. */
function inBackground(request: RequestFacts, work: () => Promise<void>): void {
  const { log } = request
  void work().catch((error: Error) => log.error({ err: error.message }, 'a requested mail could not be created'))
}
