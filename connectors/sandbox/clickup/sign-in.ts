import { randomBytes } from 'node:crypto'
import { ClickUpError } from './refusals.ts'

const random = () => randomBytes(16).toString('hex')

/** OAuth like ClickUp's, without scopes, and tokens that do not end. */
export class SignIns {
  readonly clientId = 'sandbox-clickup-client'
  readonly clientSecret = 'sandbox-clickup-client-secret'
  readonly apiToken = `pk_4001_${random().toUpperCase()}`
  readonly #codes = new Set<string>()
  readonly #tokens = new Set<string>()
  #over = false

  problem(values: URLSearchParams): string | null {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an app.'
    return URL.canParse(redirect) && /^https?:/.test(redirect) ? null : 'The address to return to cannot be used.'
  }

  decide(values: URLSearchParams): string | null {
    if (this.problem(values) !== null) return null
    const redirect = new URL(values.get('redirect_uri') ?? '')
    redirect.searchParams.set('state', values.get('state') ?? '')
    if (values.get('decision') === 'allow') {
      const code = random().toUpperCase()
      this.#codes.add(code)
      redirect.searchParams.set('code', code)
    } else redirect.searchParams.set('error', 'access_denied')
    return redirect.href
  }

  exchange(body: Record<string, unknown>): { access_token: string } {
    if (body['client_id'] !== this.clientId || body['client_secret'] !== this.clientSecret) {
      throw new ClickUpError(401, 'OAUTH_010', 'Client not found')
    }
    if (!this.#codes.delete(String(body['code']))) throw new ClickUpError(401, 'OAUTH_014', 'Code already used')
    const token = `4001_${random()}`
    this.#tokens.add(token)
    return { access_token: token }
  }

  /** Whether an `Authorization` header is valid: a personal token as it is, one of a sign-in as a bearer token. */
  accepts(authorization: string | undefined): boolean {
    if (this.#over) return false
    if (authorization === this.apiToken) return true
    return this.#tokens.has(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
  }

  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
