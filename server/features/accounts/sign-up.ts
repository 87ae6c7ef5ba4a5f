import type { Services } from '../../platform/services.ts'
import { admit } from './account/admit.ts'
import { makeAccount, type NewAccount } from './account/create-account.ts'
import { recordAudit } from './audit/record-audit.ts'
import { type From, type IssuedSession, issueSession } from './sessions/issue-session.ts'
import { limits } from './throttle/limits.ts'

/**
 * Makes an account for whoever asks, as the sign-up policy allows, and signs it in. With AUTH_AUTOCONFIRM=false nobody is
 * signed in before the e-mail address is confirmed, so `session` is null.
 */
export async function signUp(
  services: Services,
  account: Pick<NewAccount, 'email' | 'name' | 'password' | 'userMetadata'>,
  request: From,
  setupToken?: string,
): Promise<{ accountId: string; session: IssuedSession | null }> {
  const at = services.now()
  limits(services).signup.spend(request.address, at.getTime())
  const { authAutoconfirm } = services.config
  return makeAccount(
    services,
    { ...account, confirmed: authAutoconfirm === true },
    (tx) => admit(tx, services, request, setupToken),
    async (tx, { accountId, workspaceId }) => {
      await recordAudit(tx, { action: 'account.created', at, actorId: accountId, accountId, workspaceId, request })
      if (authAutoconfirm === false) return { accountId, session: null }
      const session = await issueSession(services, tx, accountId, { methods: ['password'], request, isFirst: true })
      return { accountId, session }
    },
  )
}
