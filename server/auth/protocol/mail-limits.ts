import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Limits } from '../throttle/limits.ts'
import { AuthError } from './auth-error.ts'

/**
 * Counts a mail that somebody asks for, or refuses it: one a minute to a mailbox, so that nobody can flood it and its owner
 * waits a minute at most, and so many an hour from one address. The same whether or not there is such an account.
 */
export function spendMail(limits: Limits, mailbox: string, request: Pick<RequestFacts, 'address'>, at: Date): void {
  const now = at.getTime()
  if (limits.mailbox.isSpent(mailbox, now) || limits.email.isSpent(request.address, now)) {
    throw new AuthError(
      'over_email_send_rate_limit',
      'For security purposes, you can only request this after a minute.',
    )
  }
  limits.mailbox.count(mailbox, now)
  limits.email.count(request.address, now)
}
