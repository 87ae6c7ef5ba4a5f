import { createHash, randomBytes } from 'node:crypto'

const LIFE_SECONDS = 86_400

type Grant = { redirect: string; scopes: string[]; challenge: string | null }
type Token = { refresh: string; scopes: string[]; endsAt: number }
type Reply = { status: number; body: unknown }

const refuse = (error: string): Reply => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })
const secret = (prefix: string) => `${prefix}_sandbox_${randomBytes(16).toString('hex')}`

/** OAuth like Linear's: tokens of a day, and refresh tokens that are replaced with each use. */
export class SignIns {
  readonly clientId = 'sandbox-linear-client'
  readonly clientSecret = 'sandbox-linear-client-secret'
  readonly apiKey = secret('lin_api')
  /** How often each kind of grant was exchanged. */
  readonly exchanged: string[] = []
  readonly #now: () => number
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, Token>()
  /** What a person may allow. */
  allowed: readonly string[] | null = null
  /** What the API key was restricted to when it was created; null: it may do whatever its person may. */
  keyScopes: readonly string[] | null = null
  #over = false

  constructor(now: () => number) {
    this.#now = now
  }

  problem(values: URLSearchParams): string | null {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an application.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The address to return to cannot be used.'
    if (values.get('response_type') !== 'code') return 'The response type has to be code.'
    return values.get('scope') ? null : 'No permissions were requested.'
  }

  decide(values: URLSearchParams): string | null {
    if (this.problem(values) !== null) return null
    const redirect = new URL(values.get('redirect_uri') ?? '')
    redirect.searchParams.set('state', values.get('state') ?? '')
    if (values.get('decision') === 'allow') {
      const code = randomBytes(16).toString('hex')
      const scopes = (values.get('scope') ?? '').split(',')
      this.#codes.set(code, {
        redirect: values.get('redirect_uri') ?? '',
        scopes: this.allowed ? scopes.filter((scope) => this.allowed?.includes(scope)) : scopes,
        challenge: values.get('code_challenge'),
      })
      redirect.searchParams.set('code', code)
    } else redirect.searchParams.set('error', 'access_denied')
    return redirect.href
  }

  exchange(values: URLSearchParams): Reply {
    if (values.get('client_id') !== this.clientId || values.get('client_secret') !== this.clientSecret) {
      return refuse('invalid_client')
    }
    const kind = values.get('grant_type') ?? ''
    this.exchanged.push(kind)
    if (kind === 'refresh_token') return this.#rotate(values.get('refresh_token') ?? '')
    if (kind !== 'authorization_code') return refuse('unsupported_grant_type')
    const code = values.get('code') ?? ''
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    if (!grant || grant.redirect !== values.get('redirect_uri')) return refuse('invalid_grant')
    const verifier = createHash('sha256')
      .update(values.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant.challenge !== null && grant.challenge !== verifier) return refuse('invalid_grant')
    return this.#issue(grant.scopes)
  }

  #rotate(refresh: string): Reply {
    const held = [...this.#tokens].find(([, token]) => token.refresh === refresh)
    if (!held || this.#over) return refuse('invalid_grant')
    this.#tokens.delete(held[0])
    return this.#issue(held[1].scopes)
  }

  #issue(scopes: string[]): Reply {
    const [access, refresh] = [secret('lin_oauth'), secret('lin_refresh')]
    this.#tokens.set(access, { refresh, scopes, endsAt: this.#now() + LIFE_SECONDS * 1000 })
    return {
      status: 200,
      body: {
        access_token: access,
        token_type: 'Bearer',
        expires_in: LIFE_SECONDS,
        scope: scopes.join(' '),
        refresh_token: refresh,
      },
    }
  }

  /** The scopes of a valid `Authorization` header; null for any other. */
  scopesOf(authorization: string | undefined): readonly string[] | null {
    if (this.#over) return null
    if (authorization === this.apiKey) return this.keyScopes ?? ['read', 'write', 'key']
    const token = this.#tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
    return token && token.endsAt > this.#now() ? token.scopes : null
  }

  revoke(token: string): Reply {
    const held = [...this.#tokens].find(([access, { refresh }]) => access === token || refresh === token)
    if (!held) return refuse('invalid_token')
    this.#tokens.delete(held[0])
    return { status: 200, body: {} }
  }

  /** Tokens that are valid now. */
  live = () => this.#tokens.size
  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
