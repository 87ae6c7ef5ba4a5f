import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, ZendeskRefusal } from './client.ts'
import { CurrentUser } from './schema.ts'

/** What to do about a 403 to the export, by what the person who connected Zendesk is there today. Other failures stay as they are. */
export async function explainRefusal(context: Context, error: unknown): Promise<unknown> {
  if (!(error instanceof ZendeskRefusal) || error.status !== 403) return error
  const { user } = (await call(context, { name: 'users/me', path: '/api/v2/users/me', schema: CurrentUser })).data
  if (user.role === 'admin') {
    return new Rejected(
      'Zendesk refuses to export tickets to this administrator. Check at Zendesk that the account is active and which IP addresses may use it',
    )
  }
  const role = user.role === 'agent' ? 'an agent' : 'not an administrator'
  return new Rejected(
    `Zendesk exports tickets to administrators only, and the person who connected it is now ${role} there. Make them an administrator again, or connect as another one`,
  )
}
