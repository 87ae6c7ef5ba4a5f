import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Somebody with an account at the provider. `login` is their subject there. */
export type ProviderPerson = { login: string; name: string; email: string; emailVerified?: boolean }

/** A running OpenID provider, whose sign-in page accepts any password. */
export type CertifiedProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  people: ProviderPerson[]
  stop(): Promise<void>
}

/**
 * Starts `oidc-provider`, a server that is certified for OpenID, on this machine: a stand-in that is not judged by what our client expects. It
 * demands PKCE, and returns claims by the user info endpoint only, as the specification says.
 */
export async function startCertifiedProvider(
  redirectUris: string[],
  people: ProviderPerson[] = [],
): Promise<CertifiedProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['groundswell', 'a secret of the app']
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['a key of a test'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: true } },
    async findAccount(_context, login) {
      const person = people.find((one) => one.login === login)
      if (!person) return undefined
      const { name, email, emailVerified = true } = person
      return { accountId: login, claims: async () => ({ sub: login, name, email, email_verified: emailVerified }) }
    },
    // Nobody is asked whether the app may know who they are.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Signs in as a person on the page of the provider, as a browser that is new there, and returns where it redirects to. */
export async function signInAtProvider(url: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  const ask = async (address: string, body?: URLSearchParams) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    return location === null ? null : new URL(location, address).href
  }
  const page = await ask(url)
  if (page === null || !page.includes('/interaction/')) return page ?? ''
  const resume = await ask(page, new URLSearchParams({ prompt: 'login', login, password: 'any' }))
  return (await ask(resume ?? '')) ?? ''
}
