import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Limits } from '../throttle/limits.ts'
import { AuthError } from './auth-error.ts'

/**
 * Counts a requested mail, or refuses it: one per minute and mailbox, so that no one can flood it and its owner waits a
 * minute at most, and a number per hour and address. Independent of whether the account exists.
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
