import { randomBytes } from 'node:crypto'
import type { ConsentPage, ConsentWords } from '../consent.ts'
import { AuthorizationCodes, bearerOf, canReturn } from '../grants.ts'
import { ClickUpError } from './refusals.ts'

const random = () => randomBytes(16).toString('hex')

/** OAuth like ClickUp's, without scopes, and tokens that do not end. */
export class SignIns implements ConsentPage {
  readonly clientId = 'sandbox-clickup-client'
  readonly clientSecret = 'sandbox-clickup-client-secret'
  readonly apiToken = `pk_4001_${random().toUpperCase()}`
  readonly #workspaces: () => string[]
  readonly #codes = new AuthorizationCodes<true>()
  readonly #tokens = new Set<string>()
  #over = false

  /** `workspaces`: the names of those that a person may allow. */
  constructor(workspaces: () => string[]) {
    this.#workspaces = workspaces
  }

  problem(values: URLSearchParams): string | null {
    if (values.get('client_id') !== this.clientId) return 'The client ID is not that of an app.'
    return canReturn(values) ? null : 'The address to return to cannot be used.'
  }

  words(): ConsentWords {
    return {
      title: 'Groundswell wants to use your ClickUp',
      about: 'ClickUp on this machine, with made-up workspaces.',
      permissions: this.#workspaces(),
      action: '/api',
    }
  }

  decide(values: URLSearchParams): string {
    return this.#codes.decide(values, true)
  }

  exchange(body: Record<string, unknown>): { access_token: string } {
    if (body['client_id'] !== this.clientId || body['client_secret'] !== this.clientSecret) {
      throw new ClickUpError(401, 'OAUTH_010', 'Client not found')
    }
    if (!this.#codes.take(body['code'])) throw new ClickUpError(401, 'OAUTH_014', 'Code already used')
    const token = `4001_${random()}`
    this.#tokens.add(token)
    return { access_token: token }
  }

  /** Whether an `Authorization` header is valid: a personal token as it is, one of a sign-in as a bearer token. */
  accepts(authorization: string | undefined): boolean {
    if (this.#over) return false
    if (authorization === this.apiToken) return true
    return this.#tokens.has(bearerOf(authorization))
  }

  /** No credentials are valid any more. */
  end(): void {
    this.#over = true
  }
}
