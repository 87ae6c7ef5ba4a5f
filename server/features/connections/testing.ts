import { createHmac, randomUUID } from 'node:crypto'
import type { Connector, Context } from '@groundswell/connectors/connector.ts'
import { AuthExpired, Rejected, Unavailable } from '@groundswell/connectors/kit/errors.ts'
import { startServer, type TestServer } from '@groundswell/connectors/kit/testing.ts'
import * as z from 'zod/mini'

const SUBDOMAIN = /^[a-z0-9-]{1,40}$/

/** Acme's own side: its calls, and how it fails. */
export type Acme = {
  server: TestServer
  /** Calls so far, as `POST /token`, with their bodies. */
  calls: { call: string; body: Record<string, unknown>; token: string }[]
  /** Subscriptions that exist there, by id. */
  subscriptions: Map<string, { url: string; secret: string }>
  /** The status of the next calls to create, renew or remove a subscription. */
  refuse: number[]
  /** Runs before the next reply about a subscription. */
  meanwhile: (() => Promise<void>) | null
  stop(): Promise<void>
}

/** Starts a stand-in for the provider of `acme`. */
export async function startAcme(): Promise<Acme> {
  const calls: Acme['calls'] = []
  const subscriptions: Acme['subscriptions'] = new Map()
  const refuse: number[] = []
  const answer = (call: string, values: Record<string, unknown>): { status: number; body: unknown } => {
    const [method = '', path = ''] = call.split(' ')
    if (!path.startsWith('/subscriptions')) {
      return { status: 200, body: { token: `token-${randomUUID()}`, seconds: 3600 } }
    }
    const status = refuse.shift()
    if (status !== undefined) return { status, body: {} }
    const id = path.split('/')[2] ?? randomUUID()
    if (method === 'DELETE') subscriptions.delete(id)
    else subscriptions.set(id, { url: String(values.url), secret: String(values.secret) })
    return { status: 200, body: { id } }
  }
  const server = await startServer(({ method, url, body, headers }, response) => {
    const values = JSON.parse(body || '{}') as Record<string, unknown>
    const call = `${method} ${url}`
    calls.push({ call, body: values, token: /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '' })
    const { status, body: reply } = answer(call, values)
    const { meanwhile } = provider
    if (url.startsWith('/subscriptions')) provider.meanwhile = null
    const first = url.startsWith('/subscriptions') && meanwhile ? meanwhile() : Promise.resolve()
    void first.then(() => response.writeHead(status).end(JSON.stringify(reply)))
  })
  const stop = async () => server[Symbol.asyncDispose]()
  const provider: Acme = { server, calls, subscriptions, refuse, meanwhile: null, stop }
  return provider
}

async function ask(context: Context, method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown = {}) {
  const authorization = `Bearer ${context.secrets.api_token ?? ''}`
  const request = { method, url: `${context.baseUrl}${path}`, headers: { authorization }, body: JSON.stringify(body) }
  const answer = await context.http.request({ ...request, signal: context.signal })
  if (answer.status === 401) throw new AuthExpired('Acme does not accept the token. Connect again')
  if (answer.status >= 500) throw new Unavailable('Acme is temporarily unavailable')
  if (answer.status !== 200) throw new Rejected(`Acme answered ${answer.status}.`)
  return JSON.parse(answer.body) as { id?: string; token?: string; seconds?: number }
}

async function signIn(context: Context, path: string, body: unknown) {
  const { token = '', seconds = 0 } = await ask(context, 'POST', path, body)
  return { secrets: { api_token: token }, expiresAt: new Date(context.now().getTime() + seconds * 1000) }
}

/** A source with what no connector of the product has all of: OAuth with fields and PKCE, and subscriptions. */
export const acme: Connector = {
  manifest: {
    id: 'acme',
    label: 'Acme',
    side: 'source',
    info: 'Reads Acme',
    logo: null,
    comingSoon: false,
    tile: true,
    formTitle: 'Use a token',
    fields: [{ name: 'api_token', label: 'Token', kind: 'secret', required: true }],
    secretFields: ['api_token'],
    form: z.object({ api_token: z.string().check(z.minLength(1)) }),
    signs: false,
    describe: () => ({ name: 'Acme', userData: {} }),
    unconnected: {},
  },
  app: {
    title: 'Your Acme app',
    fields: [{ name: 'client_id', label: 'Client ID', kind: 'text', required: true }],
    secretFields: [],
    form: z.object({ client_id: z.string().check(z.minLength(1)) }),
    environment: { client_id: 'ACME_CLIENT_ID' },
    guide: () => ({ steps: [], paste: null }),
  },
  oauth: {
    fields: [
      { name: 'subdomain', label: 'Subdomain', kind: 'text', required: true },
      { name: 'host', label: 'Server', kind: 'url', required: false },
    ],
    form: z.object({
      subdomain: z.string().check(z.regex(SUBDOMAIN, 'Only letters, digits and hyphens')),
      host: z.optional(z.url()),
    }),
    pkce: true,
    authorizeUrl({ settings, baseUrl }, app, { redirectUrl, state, codeChallenge = '' }) {
      const query = { client_id: app.client_id ?? '', redirect_uri: redirectUrl, state, code_challenge: codeChallenge }
      return `${baseUrl}/${String(settings.subdomain)}/authorize?${new URLSearchParams(query).toString()}`
    },
    async exchange(context, _app, { code, codeVerifier, query }) {
      const issued = await signIn(context, '/token', { code, codeVerifier, query })
      return { account: String(context.settings.subdomain), settings: {}, ...issued }
    },
  },
  check: async ({ secrets }) => ({ account: 'by-token', settings: {}, secrets }),
  refresh: (context) => signIn(context, '/refresh', {}),
  cursor: z.unknown(),
  async *pull() {
    yield { items: [], cursor: null }
  },
  choices: async () => [{ field: 'boards', label: 'Boards', help: '', options: [{ value: 'b1', label: 'One' }] }],
  subscriptions: {
    async ensure(context, { url, secret, previous }) {
      const path = previous ? `/subscriptions/${String(previous.id)}` : '/subscriptions'
      const { id } = await ask(context, previous ? 'PUT' : 'POST', path, { url, secret })
      const expiresAt = new Date(context.now().getTime() + 3 * 3_600_000)
      return { state: { id }, expiresAt, secrets: { hook_secret: secret } }
    },
    remove: async (context, { id }) => {
      await ask(context, 'DELETE', `/subscriptions/${String(id)}`)
    },
  },
  receive({ hook_secret = '' }, { method, query = {}, headers, body }) {
    const reply = { status: 200, type: 'text/plain', body: query.validationToken ?? '' }
    if (method === 'GET' || query.validationToken) return { reply, events: [] }
    const expected = createHmac('sha256', hook_secret).update(body).digest('hex')
    if (hook_secret === '' || headers['x-acme-signature'] !== expected) throw new Rejected('forged')
    const event = z
      .object({ id: z.string(), account: z.string(), text: z.string() })
      .parse(JSON.parse(Buffer.from(body).toString()))
    return { reply, events: [{ id: event.id, account: event.account, payload: event }] }
  },
}
