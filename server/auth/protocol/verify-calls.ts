import * as z from 'zod/mini'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type RedeemRefusal, redeemMailed } from '../codes/redeem.ts'
import type { TokenKind } from '../codes/store.ts'
import { linkTypes } from '../mail/mail-token.ts'
import { type AuthCall, authCall, json, redirect } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { VerifyBody } from './bodies.ts'
import { redirectTarget, withFragment, withQuery } from './redirects.ts'
import { sessionFragment, sessionJson } from './session-json.ts'

/** The kinds of token that each type of the protocol accepts. `email` and `magiclink` accept any. */
const kindsOf: Record<string, readonly TokenKind[]> = {
  signup: ['confirm'],
  recovery: ['recovery'],
  email_change: ['email_change'],
  invite: ['invite'],
  email: ['confirm', 'recovery', 'invite'],
  magiclink: ['confirm', 'recovery'],
}

const E164 = /^\+?[1-9]\d{1,14}$/

const Text = z.string().check(z.maxLength(2_000))
const Query = z.object({ token: z.optional(Text), type: z.optional(Text), redirect_to: z.optional(Text) })

/** Verifies a mailed link or code. */
export function verifyCalls(services: Services): AuthCall[] {
  const typed = authCall(
    { method: 'POST', path: '/verify', access: 'public', limit: 'verify', body: VerifyBody },
    async ({ body, request }) => {
      if (body.phone) throw phoneRefusal(body.phone)
      const kinds = Object.hasOwn(kindsOf, body.type) ? kindsOf[body.type] : undefined
      if (!kinds) throw new AuthError('validation_failed', 'type: is not supported')
      const result = await redeemMailed(services, mailedIn(body), kinds, { request, redirectTo: null })
      if (typeof result === 'string') throw refusal(result)
      if (!('session' in result)) throw new Error('an entered code must lead to a session')
      return json(await withoutWorkspace(services.db.accounts, (tx) => sessionJson(tx, result.session)))
    },
  )

  const followed = authCall(
    { method: 'GET', path: '/verify', access: 'public', limit: 'verify', query: Query },
    async ({ query, request }) => {
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      const kinds = query.type !== undefined && Object.hasOwn(kindsOf, query.type) ? kindsOf[query.type] : undefined
      if (!kinds || query.token === undefined) return failed(redirectTo, refusal('unknown'))
      const result = await redeemMailed(services, { token: query.token }, kinds, { request, redirectTo })
      if (typeof result === 'string') return failed(redirectTo, refusal(result))
      if ('code' in result) return redirect(withQuery(redirectTo, { code: result.code }), 303)
      const type = result.choosesPassword ? linkTypes.recovery : linkTypes[result.kind]
      const fragment = sessionFragment(result.session, { type })
      return redirect(withFragment(redirectTo, fragment), 303)
    },
  )
  return [typed, followed]
}

function mailedIn(body: z.output<typeof VerifyBody>): { token: string } | { email: string; code: string } {
  if (body.token_hash) return { token: body.token_hash }
  if (!body.token) throw new AuthError('validation_failed', 'Verify requires a token or a token hash')
  if (!body.email) throw new AuthError('validation_failed', 'Only an email address or a token hash should be provided')
  return { email: body.email, code: body.token }
}

/** No code is ever sent to a phone, so every code is wrong. */
function phoneRefusal(phone: string): AuthError {
  return E164.test(phone)
    ? new AuthError('otp_expired', 'Token has expired or is invalid')
    : new AuthError('validation_failed', 'Invalid phone number format (E.164 required)')
}

function refusal(reason: RedeemRefusal): AuthError {
  if (reason === 'banned') return new AuthError('user_banned', 'This account is banned', { status: 403 })
  if (reason === 'taken') return new AuthError('email_exists', 'Another account already has this e-mail address')
  return new AuthError('otp_expired', 'Email link is invalid or has expired')
}

/** Redirects the browser with the error in its query and its fragment, since pages read either. */
function failed(redirectTo: string, error: AuthError) {
  const fields = { error: 'access_denied', error_code: error.code, error_description: error.message }
  return redirect(withFragment(withQuery(redirectTo, fields), { ...fields, sb: '' }), 303)
}
