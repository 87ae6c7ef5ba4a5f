import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { takeAll } from '../throttle/limits.ts'
import { AuthError } from './auth-error.ts'

/**
 * Counts a requested mail, or refuses it: one per minute and mailbox, so that no one can flood it and its owner waits a
 * minute at most, and a number per hour and address. Independent of whether the account exists.
 */
export async function spendMail(
  services: Services,
  mailbox: string,
  { address }: Pick<RequestFacts, 'address'>,
): Promise<void> {
  const isLeft = await takeAll(services, [
    { limit: 'mailbox', key: mailbox },
    { limit: 'email', address },
  ])
  if (isLeft) return
  throw new AuthError('over_email_send_rate_limit', 'For security purposes, you can only request this after a minute.')
}
