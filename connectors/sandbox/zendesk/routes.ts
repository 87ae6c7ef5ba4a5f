import { type Call, type Endpoint, endpoints, notFound, type Reply } from './endpoints.ts'
import type { SignIns } from './sign-in.ts'
import type { Json } from './views.ts'
import type { Webhooks } from './webhooks.ts'

type FullCall = Call & { json: unknown; signIns: SignIns; webhooks: Webhooks }
type FullEndpoint = Omit<Endpoint, 'answer'> & { scopes: readonly string[]; answer: (call: FullCall) => Reply }
export type Route = { endpoint: FullEndpoint; id: string }

const on = (
  name: string,
  method: string,
  template: string,
  scopes: readonly string[],
  answer: FullEndpoint['answer'],
): FullEndpoint => ({
  name,
  method,
  template,
  scopes,
  path: new RegExp(`^${template.replace(/\{\w+\}/, '([\\w-]+)')}(?:\\.json)?$`),
  answer,
})

const HOOKS = '/api/v2/webhooks'
const TOKENS = '/api/v2/oauth/tokens'

/** Every call, with the scopes that it needs. A token may always list and revoke itself. */
const all: readonly FullEndpoint[] = [
  ...endpoints.map((endpoint) => ({ ...endpoint, scopes: ['read'] })),
  on('grant', 'POST', '/oauth/tokens', [], notFound),
  on('tokens', 'GET', TOKENS, ['read'], ({ signIns }) => signIns.list()),
  on('revoke', 'DELETE', `${TOKENS}/{oauth_token_id}`, [], ({ signIns, id }) => signIns.remove(id)),
  on('webhooks', 'GET', HOOKS, ['read'], ({ webhooks }) => webhooks.list()),
  on('create webhook', 'POST', HOOKS, ['webhooks:write'], ({ webhooks, json }) =>
    webhooks.create((json ?? {}) as Json),
  ),
  on('delete webhook', 'DELETE', `${HOOKS}/{webhook_id}`, ['webhooks:write'], ({ webhooks, id }) =>
    webhooks.remove(id),
  ),
  on('secret', 'GET', `${HOOKS}/{webhook_id}/signing_secret`, ['read'], ({ webhooks, id }) => webhooks.secret(id)),
]

/** The call of a path, with the part of it that differs; null for none. */
export function findRoute(method: string, path: string): Route | null {
  for (const endpoint of all) {
    const found = endpoint.method === method ? endpoint.path.exec(path) : null
    if (found) return { endpoint, id: found[1] ?? '' }
  }
  return null
}
