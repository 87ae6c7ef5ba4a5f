import { randomBytes } from 'node:crypto'
import { type ConsentPage, type ConsentWords, scopeWords } from '../consent.ts'
import { AuthorizationCodes, canReturn, fieldsOf, TokenPairs } from '../grants.ts'
import type { Json, Reply, Site } from './site.ts'

const LIFE_SECONDS = 3600

const MEANING = {
  'read:jira-work': 'Read projects and issues',
  'write:jira-work': 'Create and change issues',
  'read:jira-user': 'See who is signed in, and people',
  'manage:jira-webhook': 'Register webhooks',
  offline_access: 'Stay signed in',
}

/** Who sends a request. `scopes` null: an API token, which may do what its person may. */
type Holder = { scopes: readonly string[] | null }

const refuse = (status: number, error: string): Reply => ({ status, body: { error, error_description: 'Refused.' } })
const secret = (prefix: string) => `${prefix}-${randomBytes(24).toString('hex')}`

/** OAuth 2.0 (3LO) like Atlassian's: tokens of an hour, and refresh tokens that are replaced with each use; and one API token. */
export class SignIns implements ConsentPage {
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
  readonly #codes = new AuthorizationCodes<string[]>()
  readonly #tokens: TokenPairs<string[]>
  #over = false

  constructor(sites: readonly Site[], now: () => number) {
    this.sites = sites
    this.#tokens = new TokenPairs(LIFE_SECONDS, now, secret)
  }

  problem(values: URLSearchParams): string | null {
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an app.'
    if (!canReturn(values)) return 'The callback URL cannot be used.'
    if (values.get('audience') !== 'api.atlassian.com') return 'The audience has to be api.atlassian.com.'
    if (values.get('response_type') !== 'code') return 'The response type has to be code.'
    return values.get('scope') ? null : 'No scopes were requested.'
  }

  words(values: URLSearchParams): ConsentWords {
    return {
      title: 'Groundswell wants to use your Jira',
      about: `Atlassian on this machine, with the made-up site ${this.sites.map(({ host }) => host).join(', ')}.`,
      permissions: scopeWords(values, MEANING),
      action: '/authorize',
      allow: 'Accept',
    }
  }

  decide(values: URLSearchParams): string {
    const scopes = (values.get('scope') ?? '').split(' ')
    return this.#codes.decide(
      values,
      scopes.filter((scope) => this.allowed?.includes(scope) ?? true),
    )
  }

  exchange(body: Json): Reply {
    if (body.client_id !== this.clientId || body.client_secret !== this.clientSecret) {
      return refuse(401, 'access_denied')
    }
    const kind = String(body.grant_type)
    this.exchanged.push(kind)
    if (kind === 'refresh_token') {
      const scopes = this.#over ? null : this.#tokens.spend(body.refresh_token)
      return scopes ? this.#issue(scopes) : refuse(403, 'unauthorized_client')
    }
    if (kind !== 'authorization_code') return refuse(400, 'unsupported_grant_type')
    const scopes = this.#codes.redeem(fieldsOf(body))
    return scopes ? this.#issue(scopes) : refuse(403, 'invalid_grant')
  }

  #issue(scopes: string[]): Reply {
    const { refresh_token, ...token } = this.#tokens.issue(scopes)
    const lasting = scopes.includes('offline_access') ? { refresh_token } : {}
    return { status: 200, body: { ...token, token_type: 'Bearer', scope: scopes.join(' '), ...lasting } }
  }

  /** Null for nobody. With `isCloud`, the request is one to `api.atlassian.com`, where API tokens are not accepted. */
  holder(authorization: string | undefined, isCloud: boolean): Holder | null {
    if (this.#over) return null
    const basic = Buffer.from(`${this.email}:${this.apiToken}`).toString('base64')
    if (!isCloud) return authorization === `Basic ${basic}` ? { scopes: null } : null
    const scopes = this.#tokens.holder(authorization)
    return scopes && { scopes }
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
