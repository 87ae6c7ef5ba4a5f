import { createHash, randomBytes } from 'node:crypto'

const LIFE_SECONDS = 3600
const RESOURCE = '499b84ac-1321-427f-aa17-267ca6975798/.default'

type Grant = { redirect: string; challenge: string | null }
type Token = { refresh: string; endsAt: number }
type Reply = { status: number; body: unknown }

const refuse = (error: string, code: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error, error_description: `${code}: customer words. Trace ID: x`, error_codes: [Number(code.slice(6))] },
})
const secret = (length = 32) => randomBytes(length).toString('hex')

/** Sign-ins of Microsoft Entra: tokens of an hour, refresh tokens that are replaced with each use, and a personal access token. */
export class SignIns {
  readonly tenant = '3f2b6a0c-2f0d-4c57-9f0e-6b1d1f5f0a01'
  readonly clientId = 'a1b2c3d4-0000-4000-8000-000000000001'
  readonly clientSecret = 'sandbox~azure~client~secret'
  readonly pat = secret(26)
  /** How often each kind of grant was exchanged. */
  readonly exchanged: string[] = []
  /** Whether an administrator has to consent first. */
  needsConsent = false
  readonly #now: () => number
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, Token>()
  #over = false

  constructor(now: () => number) {
    this.#now = now
  }

  problem(tenant: string, values: URLSearchParams): string | null {
    const redirect = values.get('redirect_uri') ?? ''
    if (tenant !== this.tenant) return 'There is no such tenant.'
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an app.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The address to return to cannot be used.'
    if (values.get('response_type') !== 'code') return 'The response type has to be code.'
    return (values.get('scope') ?? '').split(' ').includes(RESOURCE) ? null : 'No permissions were requested.'
  }

  decide(values: URLSearchParams): string {
    const redirect = new URL(values.get('redirect_uri') ?? '')
    redirect.searchParams.set('state', values.get('state') ?? '')
    if (values.get('decision') === 'allow') {
      const code = secret(16)
      this.#codes.set(code, {
        redirect: values.get('redirect_uri') ?? '',
        challenge: values.get('code_challenge'),
      })
      redirect.searchParams.set('code', code)
    } else redirect.searchParams.set('error', 'access_denied')
    return redirect.href
  }

  exchange(tenant: string, values: URLSearchParams): Reply {
    if (tenant !== this.tenant) return refuse('invalid_request', 'AADSTS90002')
    if (values.get('client_id') !== this.clientId) return refuse('unauthorized_client', 'AADSTS700016')
    if (values.get('client_secret') !== this.clientSecret) return refuse('invalid_client', 'AADSTS7000215')
    const kind = values.get('grant_type') ?? ''
    this.exchanged.push(kind)
    if (this.needsConsent) return refuse('invalid_grant', 'AADSTS65001')
    if (kind === 'refresh_token') {
      const held = [...this.#tokens].find(([, token]) => token.refresh === values.get('refresh_token'))
      if (!held || this.#over) return refuse('invalid_grant', 'AADSTS700082')
      this.#tokens.delete(held[0])
      return this.#issue()
    }
    if (kind !== 'authorization_code') return refuse('unsupported_grant_type', 'AADSTS70003')
    const code = values.get('code') ?? ''
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    if (!grant || grant.redirect !== values.get('redirect_uri')) return refuse('invalid_grant', 'AADSTS70008')
    const verifier = createHash('sha256')
      .update(values.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant.challenge !== null && grant.challenge !== verifier) return refuse('invalid_grant', 'AADSTS501481')
    return this.#issue()
  }

  #issue(): Reply {
    const [access, refresh] = [secret(), secret()]
    this.#tokens.set(access, { refresh, endsAt: this.#now() + LIFE_SECONDS * 1000 })
    return {
      status: 200,
      body: { token_type: 'Bearer', access_token: access, refresh_token: refresh, expires_in: LIFE_SECONDS },
    }
  }

  /** Whether an `Authorization` header is valid. */
  accepts(authorization = ''): boolean {
    if (this.#over) return false
    if (authorization === `Basic ${Buffer.from(`:${this.pat}`).toString('base64')}`) return true
    const token = this.#tokens.get(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '')
    return token !== undefined && token.endsAt > this.#now()
  }

  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
