import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { findAccount } from '../account/store.ts'
import { decoyUser, readUser } from '../account/user-json.ts'
import { mailConfirmation } from '../mail/confirmation.ts'
import { passwordFault } from '../passwords/rules.ts'
import { signUp } from '../sign-up/sign-up.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { SignUpBody } from './bodies.ts'
import { redirectTarget } from './redirects.ts'
import { nameIn, Password, RedirectQuery } from './schemas.ts'
import { sessionJson } from './session-json.ts'

/** Sign-up, with or without confirmation by mail. */
export function signUpCalls(services: Services): AuthCall[] {
  const signup = authCall(
    { method: 'POST', path: '/signup', access: 'public', query: RedirectQuery, body: SignUpBody },
    async ({ body, query, request }) => {
      const { email, password, phone } = body
      if (phone) throw new AuthError('phone_provider_disabled', 'Phone sign-in is disabled')
      if (!email && !password) {
        throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
      }
      if (!email) throw new AuthError('validation_failed', 'email: is missing')
      const { data: chosen = '' } = Password.safeParse(password)
      if (chosen === '') throw new AuthError('validation_failed', 'Signup requires a valid password')
      refuseWeak(chosen, email)
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      const data = body.data ?? {}
      const name = nameIn(data) ?? nameFrom(email)
      const mail = { redirectTo, codeChallenge: body.code_challenge }
      try {
        const account = { email, password: chosen, name, userMetadata: data }
        const { accountId, session } = await signUp(services, account, request, mail)
        if (accountId === null) return json(decoyUser(randomUUID(), email, { ...data, name }, services.now()))
        return json(
          await withoutWorkspace<unknown, AccountTx>(services.db.accounts, (tx) =>
            session ? sessionJson(tx, session) : readUser(tx, accountId),
          ),
        )
      } catch (error) {
        const isTaken = error instanceof ContractError && error.code === 'signup_refused'
        if (!isTaken || services.config.authAutoconfirm !== false) throw error
        return json(await pretend(services, email, data, mail))
      }
    },
  )
  return [signup]
}

/** Throws `weak_password` for a bad new password of the account with these e-mail addresses. */
export function refuseWeak(password: string, ...emails: readonly string[]): void {
  const fault = passwordFault(password, ...emails)
  if (!fault) return
  throw new AuthError('weak_password', fault.message, { extra: { weak_password: { reasons: [fault.reason] } } })
}

/** The part before the @, as the name of a person who gave none. */
export function nameFrom(email: string): string {
  return email.split('@', 1)[0]?.slice(0, 200) || email
}

/**
 * The reply for a taken address, which does not reveal that it is taken. An unconfirmed account that the operator created is
 * sent its own link again.
 */
async function pretend(
  services: Services,
  email: string,
  data: Record<string, unknown>,
  mail: { redirectTo: string; codeChallenge?: string | null },
): Promise<Record<string, unknown>> {
  const account = await withoutWorkspace(services.db.accounts, (tx) => findAccount(tx, email))
  if (account && account.emailProvenAt !== null && account.emailConfirmedAt === null)
    await mailConfirmation(services, account, mail)
  return decoyUser(randomUUID(), email, data, services.now())
}
