import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { takeAll } from '../throttle/limits.ts'
import { prepareTokenMail } from './mail-token.ts'

/** Mails an account the link that confirms its e-mail address, unless one was sent within the last minute. */
export async function mailConfirmation(
  services: Services,
  account: { id: string; email: string },
  { redirectTo, codeChallenge = null }: { redirectTo: string; codeChallenge?: string | null },
): Promise<void> {
  if (!(await takeAll(services, [{ limit: 'mailbox', key: `confirm ${account.email}` }]))) return
  const { id: accountId, email } = account
  const request = { accountId, kind: 'confirm' as const, email, redirectTo, codeChallenge }
  const send = await withoutWorkspace(services.db.accounts, (tx) => prepareTokenMail(services, tx, request))
  send()
}
