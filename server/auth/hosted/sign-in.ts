import { ContractError } from '@groundswell/contract/errors.ts'
import { z } from 'zod'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import type { RequestOrigin } from '../sessions/issue-session.ts'
import { admit } from '../sign-up/admit.ts'
import { siteUrl } from '../site-url.ts'
import { type Attempt, refund, spend, takeAll } from '../throttle/limits.ts'
import { refuseTry } from '../throttle/throttle.ts'
import { hostedCaller } from './authenticate.ts'
import type { FormRequest } from './first-sign-in.ts'
import { callProject, type ProjectReply } from './project.ts'

const Session = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_at: z.int().optional(),
})

/** A session of the hosted project, and its caller here. */
export type HostedSignIn = { session: z.infer<typeof Session>; caller: Caller }

/**
 * Signs in at the hosted project with e-mail address and password. Attempts are counted here, since the project sees only
 * this server's address. Throws `login_refused`, `email_unconfirmed`, `too_many_requests`, and `not_ready` when the project
 * fails.
 */
export async function signInAtProject(
  services: Services,
  given: { email: string; password: string },
  request: RequestOrigin,
): Promise<HostedSignIn> {
  const attempts = attemptsOf(given.email, request.address)
  // Counted before it is made, so that concurrent attempts get no more than sequential ones.
  if (!(await takeAll(services, attempts))) refuseTry()
  const answer = await callProject(services, '/token?grant_type=password', { method: 'POST', body: given }).catch(
    async (error: unknown) => {
      await refund(services, attempts)
      throw error
    },
  )
  if (!answer.ok && answer.code === 'invalid_credentials') await refused(services, request)
  else await refund(services, attempts, answer.ok ? attempts.slice(0, 1) : [])
  if (!answer.ok) throw refusal(answer, 'login_refused', 'Wrong email or password')
  return entered(services, answer.body, { request, setupToken: undefined })
}

function attemptsOf(email: string, address: string): Attempt[] {
  return [
    { limit: 'login', address, subject: email },
    { limit: 'login_address', address },
  ]
}

/**
 * Signs up at the hosted project. Throws `email_unconfirmed` when the address must be confirmed first, `signup_refused`,
 * `signup_closed`, `invalid_input` for a password that the project finds too weak, `too_many_requests`, and `not_ready`.
 */
export async function signUpAtProject(
  services: Services,
  given: { email: string; password: string; name: string },
  form: FormRequest,
): Promise<HostedSignIn> {
  const { email, password, name } = given
  await spend(services, { limit: 'signup', address: form.request.address })
  // Checked first, so that the project gets no user whom this server refuses.
  await withoutWorkspace(services.db.accounts, (tx: AccountTx) => admit(tx, services, form.request, form.setupToken))
  const path = `/signup?redirect_to=${encodeURIComponent(siteUrl(services))}`
  const answer = await callProject(services, path, { method: 'POST', body: { email, password, data: { name } } })
  if (!answer.ok) throw refusal(answer, 'signup_refused', answer.message)
  if (!Session.safeParse(answer.body).success) {
    throw new ContractError('email_unconfirmed', 'Confirm your e-mail address: the link is in your mail. Then log in')
  }
  return entered(services, answer.body, form)
}

async function entered(services: Services, body: unknown, form: FormRequest): Promise<HostedSignIn> {
  const session = Session.safeParse(body)
  if (!session.success) throw new ContractError('not_ready', 'The hosted sign-in service returned no session')
  const token = session.data.access_token
  const caller = await hostedCaller(services, token, form).catch((error: unknown) => {
    if (error instanceof ContractError && error.code === 'unauthorized') throw distrusted(services, error.message)
    throw error
  })
  if (!caller) throw distrusted(services, 'issuer, audience, time or content')
  await withoutWorkspace(services.db.accounts, (tx) =>
    recordAudit(tx, {
      action: 'session.started',
      at: services.now(),
      actorId: caller.accountId,
      accountId: caller.accountId,
      request: form.request,
      detail: { method: 'password', session_id: caller.session.id },
    }),
  )
  return { session: session.data, caller }
}

/** The project has just issued a token that this server rejects: the configuration is wrong, not the password. */
function distrusted(services: Services, reason: string): ContractError {
  services.log.error({ part: 'hosted', reason }, 'a token that the hosted project has just issued was rejected')
  return new ContractError('not_ready', 'The hosted sign-in service issued a token that this server does not accept')
}

type Refusal = Extract<ProjectReply, { ok: false }>

function refusal(
  { code, message }: Refusal,
  otherwise: 'login_refused' | 'signup_refused',
  words: string,
): ContractError {
  switch (code) {
    case 'email_not_confirmed':
      return new ContractError('email_unconfirmed', 'Confirm your e-mail address first: the link is in your mail')
    case 'signup_disabled':
      return new ContractError('signup_closed', 'Sign-up is closed here: ask an admin for an account')
    case 'weak_password':
      return new ContractError('invalid_input', 'The password is too weak', { password: message })
    case 'email_address_invalid':
      return new ContractError('invalid_input', 'This e-mail address cannot be used', { email: message })
    case 'user_already_exists':
    case 'email_exists':
      return new ContractError('signup_refused', 'An account with this e-mail address already exists')
    case 'over_request_rate_limit':
    case 'over_email_send_rate_limit':
      return new ContractError('too_many_requests', 'Too many attempts: wait a few minutes and try again')
    default:
      return new ContractError(otherwise, words)
  }
}

function refused(services: Services, request: RequestOrigin): Promise<void> {
  const detail = { why: 'refused by the hosted project' }
  const event = {
    action: 'session.refused' as const,
    at: services.now(),
    actorId: null,
    accountId: null,
    request,
    detail,
  }
  return withoutWorkspace(services.db.accounts, (tx) => recordAudit(tx, event))
}
