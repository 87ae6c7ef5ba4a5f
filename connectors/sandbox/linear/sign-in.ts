import { randomBytes } from 'node:crypto'
import { type ConsentPage, type ConsentWords, scopeWords } from '../consent.ts'
import { AuthorizationCodes, canReturn, TokenPairs } from '../grants.ts'

const LIFE_SECONDS = 86_400

const MEANING = {
  read: 'Read teams, projects and issues',
  write: 'Change issues and comments',
  'issues:create': 'Create issues',
  'comments:create': 'Write comments',
}

type Reply = { status: number; body: unknown }

const refuse = (error: string): Reply => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })
const secret = (prefix: string) => `${prefix}_sandbox_${randomBytes(16).toString('hex')}`

/** OAuth like Linear's: tokens of a day, and refresh tokens that are replaced with each use. */
export class SignIns implements ConsentPage {
  readonly clientId = 'sandbox-linear-client'
  readonly clientSecret = 'sandbox-linear-client-secret'
  readonly apiKey = secret('lin_api')
  /** How often each kind of grant was exchanged. */
  readonly exchanged: string[] = []
  readonly #workspace: string
  readonly #codes = new AuthorizationCodes<string[]>()
  readonly #tokens: TokenPairs<string[]>
  /** What a person may allow. */
  allowed: readonly string[] | null = null
  /** What the API key was restricted to when it was created; null: it may do whatever its person may. */
  keyScopes: readonly string[] | null = null
  #over = false

  /** `workspace`: its name. */
  constructor(workspace: string, now: () => number) {
    this.#workspace = workspace
    this.#tokens = new TokenPairs(LIFE_SECONDS, now, (kind) => secret(kind === 'access' ? 'lin_oauth' : 'lin_refresh'))
  }

  problem(values: URLSearchParams): string | null {
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an application.'
    if (!canReturn(values)) return 'The address to return to cannot be used.'
    if (values.get('response_type') !== 'code') return 'The response type has to be code.'
    return values.get('scope') ? null : 'No permissions were requested.'
  }

  words(values: URLSearchParams): ConsentWords {
    return {
      title: 'Groundswell wants to use your Linear',
      about: `Linear on this machine, with the made-up workspace ${this.#workspace}.`,
      permissions: scopeWords(values, MEANING, ','),
      action: '/oauth/authorize',
    }
  }

  decide(values: URLSearchParams): string {
    const scopes = (values.get('scope') ?? '').split(',')
    return this.#codes.decide(
      values,
      scopes.filter((scope) => this.allowed?.includes(scope) ?? true),
    )
  }

  exchange(values: URLSearchParams): Reply {
    if (values.get('client_id') !== this.clientId || values.get('client_secret') !== this.clientSecret) {
      return refuse('invalid_client')
    }
    const kind = values.get('grant_type') ?? ''
    this.exchanged.push(kind)
    if (kind === 'refresh_token') {
      return this.#issue(this.#over ? null : this.#tokens.spend(values.get('refresh_token')))
    }
    if (kind !== 'authorization_code') return refuse('unsupported_grant_type')
    return this.#issue(this.#codes.redeem(values))
  }

  #issue(scopes: string[] | null): Reply {
    if (scopes === null) return refuse('invalid_grant')
    return { status: 200, body: { token_type: 'Bearer', scope: scopes.join(' '), ...this.#tokens.issue(scopes) } }
  }

  /** The scopes of a valid `Authorization` header; null for any other. */
  scopesOf(authorization: string | undefined): readonly string[] | null {
    if (this.#over) return null
    if (authorization === this.apiKey) return this.keyScopes ?? ['read', 'write', 'key']
    return this.#tokens.holder(authorization)
  }

  revoke(token: string): Reply {
    return this.#tokens.end(token) ? { status: 200, body: {} } : refuse('invalid_token')
  }

  /** Tokens that are valid now. */
  live = () => this.#tokens.size
  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
