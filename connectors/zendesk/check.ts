import type { Context, SignedIn } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { call, settingsOf, ZendeskRefusal } from './client.ts'
import { ZendeskSecrets } from './manifest.ts'
import { CurrentUser } from './schema.ts'

/**
 * Requests who the credentials belong to. Only an administrator may export tickets, so anyone else is refused here rather than in
 * the middle of a sync. The account is the subdomain.
 */
export async function check(context: Context): Promise<SignedIn> {
  const { subdomain, email } = settingsOf(context)
  const secrets = ZendeskSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new AuthExpired('Zendesk is not signed in: connect again')
  const { user } = (
    await call(context, {
      name: 'users/me',
      path: '/api/v2/users/me',
      schema: CurrentUser,
      refusals: {
        401: new AuthExpired('Zendesk did not accept the credentials. Check that they are active, then connect again'),
        404: new ZendeskRefusal(404, `There is no Zendesk account at ${subdomain}.zendesk.com`),
      },
    })
  ).data
  // Zendesk returns an anonymous user, without an id, where nobody is signed in.
  if (!user.id) throw new AuthExpired('Zendesk did not accept the credentials. Connect again')
  if (user.role !== 'admin') {
    const role = user.role === 'agent' ? 'an agent' : 'not an administrator'
    throw new Rejected(
      `This person is ${role} at Zendesk. Zendesk exports tickets to administrators only: connect as one of them`,
    )
  }
  return { account: subdomain, settings: { subdomain, ...(email ? { email } : {}) }, secrets: { ...secrets.data } }
}
