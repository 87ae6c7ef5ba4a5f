import type { AddressInfo } from 'node:net'
import type { Config } from '../../platform/config/config.ts'
import { type TestPerson, testApp } from '../../platform/http/testing.ts'
import { handlers } from '../../wiring.ts'
import { authenticate, authMounts } from '../index.ts'

/** Where the browser of a sign-in is in the end: signed in with these tokens, or told these words. */
export type Ended = { url: URL; token: string | undefined; refreshToken: string | undefined; words: string | null }

type App = { issuer: string; clientId: string; clientSecret: string }
type As = TestPerson | string

/** A server that listens. Providers on this machine may be used. */
export async function openSso(config: Partial<Config> = {}) {
  const test = await testApp(
    (services) => ({
      handlers: handlers(services),
      mounts: authMounts(services),
      authenticate: authenticate(services),
    }),
    { authRateLimits: null, allowPrivateAddresses: ['127.0.0.1'], ...config },
  )
  await test.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
  test.services.config.publicUrl = url

  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, as: As, payload?: object) => {
    const answer = await test.call(method, path, { as, ...(payload ? { payload } : {}) })
    return { status: answer.statusCode, body: answer.json(), cookie: cookieOf(answer.headers['set-cookie']) }
  }
  const save = (as: As, app: App, more: object = {}) =>
    ask('PUT', '/api/team/single-sign-on', as, {
      issuer: app.issuer,
      client_id: app.clientId,
      client_secret: app.clientSecret,
      domains: ['acme.example'],
      default_role: 'member',
      ...more,
    })
  const change = (as: As, enabled: boolean, required = false) =>
    ask('PUT', '/api/team/single-sign-on/state', as, { enabled, required })

  /**
   * Starts a sign-in at a workspace's address, by default from its confirmation page: where the browser is sent, and its cookie.
   */
  async function begin(workspaceId: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) {
    const answer = await fetch(`${url}/api/sso/${workspaceId}`, { redirect: 'manual', headers })
    return { to: answer.headers.get('location') ?? '', cookie: cookieOf(answer.headers.get('set-cookie')), answer }
  }
  /** The browser returns from the provider. */
  async function comeBack(back: string, cookie: string): Promise<Ended> {
    const answer = await fetch(back, { redirect: 'manual', headers: { cookie, 'user-agent': 'Mozilla/5.0' } })
    const ended = new URL(answer.headers.get('location') ?? 'about:blank')
    const fragment = new URLSearchParams(ended.hash.slice(1))
    return {
      url: ended,
      token: fragment.get('access_token') ?? undefined,
      refreshToken: fragment.get('refresh_token') ?? undefined,
      words: fragment.get('error_description'),
    }
  }
  return {
    ...test,
    url,
    ask,
    save,
    change,
    begin,
    comeBack,
    /** Signs in at the address of a workspace. `choose`: from the provider's page to the address that it returns to. */
    async signIn(workspaceId: string, choose: (to: string) => Promise<string>): Promise<Ended> {
      const { to, cookie } = await begin(workspaceId)
      return comeBack(await choose(to), cookie)
    },
    /** Links the provider to an account that is signed in. */
    async link(as: As, choose: (to: string) => Promise<string>): Promise<Ended> {
      const { body, cookie } = await ask('POST', '/api/account/single-sign-on', as)
      return comeBack(await choose(body.url), cookie)
    },
    /** Tests the provider of the owner's workspace and returns the page that is shown. */
    async tryOut(as: As, choose: (to: string) => Promise<string>): Promise<string> {
      const { body, cookie } = await ask('POST', '/api/team/single-sign-on/test', as)
      const answer = await fetch(await choose(body.url), { redirect: 'manual', headers: { cookie } })
      return answer.text()
    },
    /** Sets up, tests and turns on a provider. */
    async open(as: TestPerson, app: App, choose: (to: string) => Promise<string>, more: object = {}): Promise<void> {
      await save(as, app, more)
      await this.tryOut(as, choose)
      const { status, body } = await change(as, true)
      if (status !== 200) throw new Error(`not turned on: ${body.message}`)
    },
    /** Who is signed in with a token. */
    who: (as: As) => ask('GET', '/api/user/user-data', as),
    team: (as: As) => ask('GET', '/api/team', as),
    /** Invites an account to the workspace of an owner, which it joins and works in from then on. */
    async join(who: As, role: 'viewer' | 'member' | 'owner', by: As): Promise<void> {
      const { body } = await ask('POST', '/api/team/invitations', by, { role })
      const token = new URL(body.link).hash.replace('#invitation=', '')
      await ask('POST', '/api/invitations/accept', who, { token })
    },
    async logIn(email: string, password: string): Promise<string> {
      return (await ask('POST', '/api/auth/login', '', { email, password })).body.token
    },
  }
}

export type SsoTest = Awaited<ReturnType<typeof openSso>>

function cookieOf(header: string | string[] | null | undefined): string {
  return String((Array.isArray(header) ? header[0] : header) ?? '').split(';')[0] ?? ''
}
