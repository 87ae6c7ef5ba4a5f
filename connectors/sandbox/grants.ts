import { createHash, randomBytes } from 'node:crypto'

/** The fields of a form, or of a JSON object as `fieldsOf` gives them. */
type Fields = { get(name: string): unknown }

export const fieldsOf = (body: Readonly<Record<string, unknown>>): Fields => new Map(Object.entries(body))

/** Whether a request names an address that a browser can return to. */
export function canReturn(values: URLSearchParams): boolean {
  const address = values.get('redirect_uri') ?? ''
  return URL.canParse(address) && /^https?:/.test(address)
}

/** Where the browser goes after the decision on a request: to `address`, with the state of the request and the answer. */
export function returnAddress(
  values: URLSearchParams,
  answer: Readonly<Record<string, string>>,
  address = values.get('redirect_uri') ?? '',
): string {
  const url = new URL(address)
  if (values.has('state')) url.searchParams.set('state', values.get('state') ?? '')
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return url.href
}

/** The token of an `Authorization` header; '' without one. */
export const bearerOf = (authorization = ''): string => /^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''

type Code<Grant> = { redirect: string; challenge: string | null; grant: Grant }

/** Authorization codes. Each is good once. */
export class AuthorizationCodes<Grant> {
  readonly #codes = new Map<string, Code<Grant>>()

  /** A code for a request. It is bound to the address and the S256 challenge of the request. */
  issue(values: URLSearchParams, grant: Grant): string {
    const code = randomBytes(16).toString('hex')
    const redirect = values.get('redirect_uri') ?? ''
    this.#codes.set(code, { redirect, challenge: values.get('code_challenge') || null, grant })
    return code
  }

  /** Where the browser goes with the decision of a person: with a code for `grant`, or with an error. */
  decide(values: URLSearchParams, grant: Grant, address?: string): string {
    if (values.get('decision') !== 'allow') return returnAddress(values, { error: 'access_denied' }, address)
    return returnAddress(values, { code: this.issue(values, grant) }, address)
  }

  /** Uses a code up, whatever it is bound to. Null: there is no such code. */
  take(code: unknown): Code<Grant> | null {
    const found = this.#codes.get(String(code)) ?? null
    this.#codes.delete(String(code))
    return found
  }

  /** Uses the `code` of a token request up. Null: it is unknown, or for another `redirect_uri` or `code_verifier`. */
  redeem(fields: Fields): Grant | null {
    const code = this.take(fields.get('code'))
    if (code === null || code.redirect !== fields.get('redirect_uri')) return null
    return isProved(code, fields) ? code.grant : null
  }
}

/** Whether the `code_verifier` of a token request is that of the code's challenge, if it has one. */
export function isProved({ challenge }: { challenge: string | null }, fields: Fields): boolean {
  const given = fields.get('code_verifier')
  const verifier = createHash('sha256').update(typeof given === 'string' ? given : '')
  return challenge === null || challenge === verifier.digest('base64url')
}

/** An answer to a token request. */
type Issued = { access_token: string; refresh_token: string; expires_in: number }

/** Access tokens that end, each with a refresh token that replaces the pair once. */
export class TokenPairs<Grant> {
  readonly #life: number
  readonly #now: () => number
  readonly #random: (kind: 'access' | 'refresh') => string
  readonly #pairs = new Map<string, { refresh: string; endsAt: number; grant: Grant }>()

  /** `life` of an access token in seconds, `now` in epoch milliseconds, `random`: a new token. */
  constructor(
    life: number,
    now: () => number,
    random: (kind: 'access' | 'refresh') => string = () => randomBytes(32).toString('hex'),
  ) {
    this.#life = life
    this.#now = now
    this.#random = random
  }

  issue(grant: Grant): Issued {
    const [access, refresh] = [this.#random('access'), this.#random('refresh')]
    this.#pairs.set(access, { refresh, grant, endsAt: this.#now() + this.#life * 1000 })
    return { access_token: access, refresh_token: refresh, expires_in: this.#life }
  }

  /** Ends the pair of a refresh token and returns its grant. Null: there is none. */
  spend(refresh: unknown): Grant | null {
    const [access, pair] = [...this.#pairs].find(([, one]) => one.refresh === refresh) ?? []
    if (access === undefined || pair === undefined) return null
    this.#pairs.delete(access)
    return pair.grant
  }

  /** The grant of an `Authorization` header with an access token that has not ended. */
  holder(authorization: string | undefined): Grant | null {
    const pair = this.#pairs.get(bearerOf(authorization))
    return pair !== undefined && pair.endsAt > this.#now() ? pair.grant : null
  }

  /** Ends the pair that one of the two tokens is of. Returns whether there was one. */
  end(token: string): boolean {
    const [access] = [...this.#pairs].find(([one, { refresh }]) => one === token || refresh === token) ?? []
    return access !== undefined && this.#pairs.delete(access)
  }

  clear(): void {
    this.#pairs.clear()
  }

  /** How many pairs there are. */
  get size(): number {
    return this.#pairs.size
  }
}
