import { ContractError } from '@groundswell/contract/errors.ts'
import type * as z from 'zod/mini'
import { type AccountTx, inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { makeAccount, type NewAccount } from '../account/create-account.ts'
import { changeAccount, findAccount } from '../account/store.ts'
import { readUser } from '../account/user-json.ts'
import { makeOneTime } from '../codes/one-time-token.ts'
import type { PendingSignUp, TokenKind } from '../codes/store.ts'
import { linkTypes, prepareTokenMail, tokenLink } from '../mail/mail-token.ts'
import { passwordHasher } from '../passwords/hash.ts'
import { recordAudit } from '../record-audit.ts'
import type { RequestOrigin } from '../sessions/issue-session.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { InviteBody, LinkBody, type LinkType } from './bodies.ts'
import { redirectTarget } from './redirects.ts'
import { nameIn, RedirectQuery } from './schemas.ts'
import { nameFrom, refuseWeak } from './sign-up-calls.ts'

const kinds = {
  signup: 'confirm',
  magiclink: 'recovery',
  recovery: 'recovery',
  invite: 'invite',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
} as const satisfies Record<LinkType, TokenKind>

/** Invitations, and links that an operator's program sends on its own. */
export function adminLinkCalls(services: Services): AuthCall[] {
  const invite = authCall(
    { method: 'POST', path: '/invite', access: 'service', query: RedirectQuery, body: InviteBody },
    async ({ body, query, request }) => {
      const accountId = await newAccount(
        services,
        { email: body.email, userMetadata: body.data ?? {}, invited: true },
        request,
      )
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      const { user, send } = await inAccount(services.db.accounts, accountId, async (tx) => {
        const mail = { accountId, kind: 'invite' as const, email: body.email, redirectTo }
        const send = await prepareTokenMail(services, tx, mail)
        return { send, user: await readUser(tx, accountId) }
      })
      send()
      return json(user)
    },
  )

  const link = authCall(
    { method: 'POST', path: '/admin/generate_link', access: 'service', query: RedirectQuery, body: LinkBody },
    async ({ body, query, request }) => {
      const kind = kinds[body.type]
      const found = await withoutWorkspace(services.db.accounts, (tx) => findAccount(tx, body.email))
      const mayMake = kind === 'confirm' || kind === 'invite'
      if (!found && !mayMake) throw new AuthError('user_not_found', 'User with this email not found', { status: 404 })
      if (found && mayMake && found.emailConfirmedAt !== null) throw taken()
      const { email, password, data } = body
      const invited = kind === 'invite'
      if (password && !found) refuseWeak(password, email)
      // Another person may have created the account: this link completes with the data that the operator gives now.
      const signUp = found && kind === 'confirm' ? await signUpOf(services, body) : null
      const account = { email, password: password || null, userMetadata: data ?? {}, invited }
      const accountId = found?.id ?? (await newAccount(services, account, request))
      const redirectTo = redirectTarget(services, body.redirect_to ?? query.redirect_to, request.headers)
      const made = await inAccount(services.db.accounts, accountId, async (tx) => {
        const email = kind === 'email_change' ? await newMailbox(services, tx, accountId, body.new_email) : body.email
        const token = await makeOneTime(services, tx, { accountId, kind, email, signUp })
        return { token, user: await readUser(tx, accountId) }
      })
      return json({
        ...made.user,
        action_link: tokenLink(services, kind, made.token, redirectTo),
        email_otp: made.token.code,
        hashed_token: made.token.token,
        redirect_to: redirectTo,
        verification_type: linkTypes[kind],
      })
    },
  )
  return [invite, link]
}

async function newAccount(
  services: Services,
  given: Pick<NewAccount, 'email' | 'userMetadata' | 'invited'> & { password?: string | null },
  request: RequestOrigin,
): Promise<string> {
  const account = { password: null, ...given, name: nameIn(given.userMetadata) ?? nameFrom(given.email) }
  try {
    return await makeAccount(
      services,
      account,
      async () => false,
      async (tx, { accountId, workspaceId }) => {
        const event = { at: services.now(), actorId: null, accountId, workspaceId, request }
        await recordAudit(tx, { ...event, action: 'account.created' })
        return accountId
      },
    )
  } catch (error) {
    throw error instanceof ContractError && error.code === 'signup_refused' ? taken() : error
  }
}

async function newMailbox(
  services: Services,
  tx: AccountTx,
  accountId: string,
  email: string | null | undefined,
): Promise<string> {
  if (!email) throw new AuthError('validation_failed', 'new_email: is missing')
  if ((await findAccount(tx, email))?.emailProvenAt) throw taken()
  await changeAccount(tx, accountId, { newEmail: email }, services.now())
  return email
}

async function signUpOf(
  services: Services,
  { email, password, data }: z.output<typeof LinkBody>,
): Promise<PendingSignUp> {
  if (password) refuseWeak(password, email)
  const passwordHash = password ? await passwordHasher(services).hash(password) : null
  return { name: nameIn(data) ?? nameFrom(email), passwordHash, userMetadata: data ?? {} }
}

function taken(): AuthError {
  return new AuthError('email_exists', 'A user with this email address has already been registered')
}
