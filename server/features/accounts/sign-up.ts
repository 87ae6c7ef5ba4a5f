import type { Services } from '../../platform/services.ts'
import { admit } from './account/admit.ts'
import { makeAccount, type NewAccount } from './account/create-account.ts'
import { recordAudit } from './audit/record-audit.ts'
import { prepareTokenMail } from './mail/mail-token.ts'
import { mailIsOn } from './mail/mailer.ts'
import { type From, type IssuedSession, issueSession } from './sessions/issue-session.ts'
import { limits } from './throttle/limits.ts'

/**
 * Makes an account for whoever asks, as the sign-up policy allows, and signs it in. The e-mail address is to be confirmed by
 * a link, unless AUTH_AUTOCONFIRM says that it counts as confirmed. With AUTH_AUTOCONFIRM=false nobody is signed in before
 * that, so `session` is null. Throws `signup_closed`, and `signup_refused` for an address that is taken.
 */
export async function signUp(
  services: Services,
  account: Pick<NewAccount, 'email' | 'name' | 'password' | 'userMetadata'>,
  request: From,
  options: { redirectTo: string; codeChallenge?: string | null; setupToken?: string },
): Promise<{ accountId: string; session: IssuedSession | null }> {
  const at = services.now()
  limits(services).signup.spend(request.address, at.getTime())
  const { authAutoconfirm } = services.config
  const made = await makeAccount(
    services,
    { ...account, confirmed: authAutoconfirm === true },
    (tx) => admit(tx, services, request, options.setupToken),
    async (tx, { accountId, workspaceId }) => {
      await recordAudit(tx, { action: 'account.created', at, actorId: accountId, accountId, workspaceId, request })
      const asksForMail = authAutoconfirm === false || (authAutoconfirm === undefined && mailIsOn(services))
      const { redirectTo, codeChallenge } = options
      const mail = { accountId, kind: 'confirm' as const, email: account.email, redirectTo, codeChallenge }
      const send = asksForMail ? await prepareTokenMail(services, tx, mail) : () => undefined
      if (authAutoconfirm === false) return { accountId, session: null, send }
      const session = await issueSession(services, tx, accountId, { methods: ['password'], request, isFirst: true })
      return { accountId, session, send }
    },
  )
  made.send()
  return made
}
