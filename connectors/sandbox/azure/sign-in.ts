import { randomBytes } from 'node:crypto'
import type { ConsentPage } from '../consent.ts'
import { AuthorizationCodes, canReturn, isProved, TokenPairs } from '../grants.ts'

const LIFE_SECONDS = 3600
const RESOURCE = '499b84ac-1321-427f-aa17-267ca6975798/.default'

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
  readonly #person: string
  readonly #codes = new AuthorizationCodes<true>()
  readonly #tokens: TokenPairs<true>
  #over = false

  /** `person`: the name of the one who signs in. */
  constructor(person: string, now: () => number) {
    this.#person = person
    this.#tokens = new TokenPairs(LIFE_SECONDS, now)
  }

  /** The consent page of a tenant, at a path. */
  consent(tenant: string, path: string): ConsentPage {
    return {
      problem: (values) => {
        if (tenant !== this.tenant) return 'There is no such tenant.'
        if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an app.'
        if (!canReturn(values)) return 'The address to return to cannot be used.'
        if (values.get('response_type') !== 'code') return 'The response type has to be code.'
        return (values.get('scope') ?? '').split(' ').includes(RESOURCE) ? null : 'No permissions were requested.'
      },
      words: () => ({
        title: 'Groundswell wants to use your Azure DevOps',
        about: `Microsoft on this machine. You are ${this.#person}.`,
        permissions: ['Read projects and teams', 'Read and write work items'],
        action: path,
      }),
      decide: (values) => this.#codes.decide(values, true),
    }
  }

  exchange(tenant: string, values: URLSearchParams): Reply {
    if (tenant !== this.tenant) return refuse('invalid_request', 'AADSTS90002')
    if (values.get('client_id') !== this.clientId) return refuse('unauthorized_client', 'AADSTS700016')
    if (values.get('client_secret') !== this.clientSecret) return refuse('invalid_client', 'AADSTS7000215')
    const kind = values.get('grant_type') ?? ''
    this.exchanged.push(kind)
    if (this.needsConsent) return refuse('invalid_grant', 'AADSTS65001')
    if (kind === 'refresh_token') {
      const isHeld = !this.#over && this.#tokens.spend(values.get('refresh_token'))
      return isHeld ? this.#issue() : refuse('invalid_grant', 'AADSTS700082')
    }
    if (kind !== 'authorization_code') return refuse('unsupported_grant_type', 'AADSTS70003')
    const code = this.#codes.take(values.get('code'))
    if (code?.redirect !== values.get('redirect_uri')) return refuse('invalid_grant', 'AADSTS70008')
    return isProved(code, values) ? this.#issue() : refuse('invalid_grant', 'AADSTS501481')
  }

  #issue(): Reply {
    return { status: 200, body: { token_type: 'Bearer', ...this.#tokens.issue(true) } }
  }

  /** Whether an `Authorization` header is valid. */
  accepts(authorization = ''): boolean {
    if (this.#over) return false
    if (authorization === `Basic ${Buffer.from(`:${this.pat}`).toString('base64')}`) return true
    return this.#tokens.holder(authorization) !== null
  }

  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
