import { randomBytes } from 'node:crypto'
import type { Json, Reply, Site } from './site.ts'

const LIFE_SECONDS = 3600

type Grant = { redirect: string; scopes: string[] }
type Token = { refresh: string; scopes: string[]; endsAt: number }
/** Who sends a request. `scopes` null: an API token, which may do what its person may. */
type Holder = { scopes: readonly string[] | null }

const refuse = (status: number, error: string): Reply => ({ status, body: { error, error_description: 'Refused.' } })
const secret = (prefix: string) => `${prefix}-${randomBytes(24).toString('hex')}`

/** OAuth 2.0 (3LO) like Atlassian's: tokens of an hour, and refresh tokens that are replaced with each use; and one API token. */
export class SignIns {
  readonly clientId = 'sandbox-jira-client'
  readonly clientSecret = 'sandbox-jira-client-secret'
  readonly email = 'tally@fernweh.example'
  readonly apiToken = secret('ATATT3x')
  /** How often each kind of grant was exchanged. */
  readonly exchanged: string[] = []
  /** What a person may allow; null: everything. */
  allowed: readonly string[] | null = null
  /** Sites that the person allowed. */
  sites: readonly Site[]
  /** True: an unknown token is treated as an anonymous visitor's. */
  anonymous = false
  readonly #now: () => number
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, Token>()
  #over = false

  constructor(sites: readonly Site[], now: () => number) {
    this.sites = sites
    this.#now = now
  }

  problem(values: URLSearchParams): string | null {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an app.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The callback URL cannot be used.'
    if (values.get('audience') !== 'api.atlassian.com') return 'The audience has to be api.atlassian.com.'
    if (values.get('response_type') !== 'code') return 'The response type has to be code.'
    return values.get('scope') ? null : 'No scopes were requested.'
  }

  decide(values: URLSearchParams): string | null {
    if (this.problem(values) !== null) return null
    const redirect = new URL(values.get('redirect_uri') ?? '')
    redirect.searchParams.set('state', values.get('state') ?? '')
    if (values.get('decision') === 'allow') {
      const code = secret('code')
      const scopes = (values.get('scope') ?? '').split(' ')
      const granted = this.allowed ? scopes.filter((scope) => this.allowed?.includes(scope)) : scopes
      this.#codes.set(code, { redirect: values.get('redirect_uri') ?? '', scopes: granted })
      redirect.searchParams.set('code', code)
    } else redirect.searchParams.set('error', 'access_denied')
    return redirect.href
  }

  exchange(body: Json): Reply {
    if (body.client_id !== this.clientId || body.client_secret !== this.clientSecret) {
      return refuse(401, 'access_denied')
    }
    const kind = String(body.grant_type)
    this.exchanged.push(kind)
    if (kind === 'refresh_token') return this.#rotate(String(body.refresh_token))
    if (kind !== 'authorization_code') return refuse(400, 'unsupported_grant_type')
    const code = String(body.code)
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    if (!grant || grant.redirect !== body.redirect_uri) return refuse(403, 'invalid_grant')
    return this.#issue(grant.scopes)
  }

  #rotate(refresh: string): Reply {
    const held = [...this.#tokens].find(([, token]) => token.refresh === refresh)
    if (!held || this.#over) return refuse(403, 'unauthorized_client')
    this.#tokens.delete(held[0])
    return this.#issue(held[1].scopes)
  }

  #issue(scopes: string[]): Reply {
    const [access, refresh] = [secret('access'), secret('refresh')]
    this.#tokens.set(access, { refresh, scopes, endsAt: this.#now() + LIFE_SECONDS * 1000 })
    const lasting = scopes.includes('offline_access') ? { refresh_token: refresh } : {}
    const body = {
      access_token: access,
      token_type: 'Bearer',
      expires_in: LIFE_SECONDS,
      scope: scopes.join(' '),
      ...lasting,
    }
    return { status: 200, body }
  }

  /** Null for nobody. With `isCloud`, the request is one to `api.atlassian.com`, where API tokens are not accepted. */
  holder(authorization: string | undefined, isCloud: boolean): Holder | null {
    if (this.#over) return null
    const basic = Buffer.from(`${this.email}:${this.apiToken}`).toString('base64')
    if (!isCloud) return authorization === `Basic ${basic}` ? { scopes: null } : null
    const token = this.#tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
    return token && token.endsAt > this.#now() ? { scopes: token.scopes } : null
  }

  /** `GET /oauth/token/accessible-resources`. The Confluence of a site is listed with the same id. */
  resources(): Reply {
    const scopes = ['read:jira-work', 'write:jira-work']
    const body = this.sites.flatMap(({ id, name, host }) => [
      { id, name, url: `https://${host}`, scopes, avatarUrl: `https://${host}/avatar.png` },
      { id, name: 'Wiki', url: `https://${host}`, scopes: ['read:confluence-space.summary'], avatarUrl: '' },
    ])
    return { status: 200, body }
  }

  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
