import { generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto'
import { AuthorizationCodes, bearerOf } from '../grants.ts'
import type { Hub, Person } from './hub.ts'
import { type Json, personView } from './views.ts'

const HOUR_MS = 3_600_000
const MAX_JWT_SECONDS = 600

export type Installation = {
  id: number
  account: Person
  suspended: boolean
  issues: 'read' | 'write' | null
  /** Who may use it. */
  people: string[]
}
/** Who sent a request: a person with a token, an installation, or the app itself. */
export type Caller =
  | { is: 'person'; login: string; issues: 'read' | 'write' | null }
  | { is: 'user-token'; login: string }
  | { is: 'installation'; installation: Installation; login: string; token: string }
  | { is: 'app' }

const secret = (prefix: string) => `${prefix}_${randomBytes(20).toString('hex')}`

/** A personal access token, and an app with its installations. */
export class SignIns {
  readonly login = 'ann'
  readonly token = secret('github_pat')
  readonly appId = '4711'
  readonly slug = 'sandbox-groundswell'
  readonly clientId = 'Iv23sandbox'
  readonly clientSecret = 'sandbox-github-client-secret'
  readonly installations: Installation[] = []
  /** What the personal access token may do with issues. */
  tokenIssues: 'read' | 'write' | null = 'write'
  /** A classic token: GitHub answers 404, not 403, to what its scopes do not allow. */
  isClassic = false
  /** Where a person is sent back to after the installation, as the app's settings at GitHub have it. */
  callbackUrl = ''
  readonly #hub: Hub
  readonly #codes = new AuthorizationCodes<string>()
  readonly #userTokens = new Map<string, string>()
  readonly #minted = new Map<string, { installation: Installation; endsAt: number }>()
  #keys: { publicKey: KeyObject; privateKey: KeyObject } | null = null
  #over = false

  constructor(hub: Hub) {
    this.#hub = hub
  }

  /** What a person copies into the form of the app. */
  app(): Record<string, string> {
    return {
      app_id: this.appId,
      slug: this.slug,
      client_id: this.clientId,
      client_secret: this.clientSecret,
      private_key: this.#keyPair().privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    }
  }

  /** Keys take a while to be made, and most tests need none. */
  #keyPair() {
    this.#keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    return this.#keys
  }

  install(login: string, people: string[] = [this.login]): Installation {
    const id = this.#hub.nextId()
    this.#hub.person(`${this.slug}[bot]`)
    const installation: Installation = {
      id,
      account: this.#hub.person(login, 'Organization'),
      suspended: false,
      issues: 'write',
      people,
    }
    this.installations.push(installation)
    return installation
  }

  uninstall({ id }: Installation): void {
    this.installations.splice(
      this.installations.findIndex((one) => one.id === id),
      1,
    )
  }

  /** The code with which a person comes back. */
  approve(login: string): string {
    return this.#codes.issue(new URLSearchParams(), login)
  }

  /** GitHub answers with status 200 also where it refuses. */
  exchange(values: URLSearchParams): Json {
    if (values.get('client_id') !== this.clientId || values.get('client_secret') !== this.clientSecret) {
      return {
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret is wrong.',
      }
    }
    if (this.callbackUrl !== '' && ![null, this.callbackUrl].includes(values.get('redirect_uri'))) {
      return {
        error: 'redirect_uri_mismatch',
        error_description: 'The redirect_uri MUST match the registered callback URL for this application.',
      }
    }
    const login = this.#codes.take(values.get('code'))?.grant
    if (!login) return { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' }
    const token = secret('ghu')
    this.#userTokens.set(token, login)
    return { access_token: token, token_type: 'bearer', scope: '', expires_in: 28_800 }
  }

  mint(installation: Installation): { token: string; expiresAt: number } {
    const token = secret('ghs')
    const endsAt = this.#hub.now() + HOUR_MS
    this.#minted.set(token, { installation, endsAt })
    return { token, expiresAt: endsAt }
  }

  revoke(token: string): void {
    this.#minted.delete(token)
  }

  /** Tokens of installations that are valid now. */
  live(): number {
    return [...this.#minted.values()].filter(({ endsAt }) => endsAt > this.#hub.now()).length
  }

  callerOf(authorization: string | undefined): Caller | null {
    const token = bearerOf(authorization)
    if (token === this.token) return this.#over ? null : { is: 'person', login: this.login, issues: this.tokenIssues }
    const login = this.#userTokens.get(token)
    if (login) return { is: 'user-token', login }
    const minted = this.#minted.get(token)
    if (minted) {
      const isLive = minted.endsAt > this.#hub.now() && this.installations.includes(minted.installation)
      return isLive
        ? { is: 'installation', installation: minted.installation, login: `${this.slug}[bot]`, token }
        : null
    }
    return this.#isApp(token) ? { is: 'app' } : null
  }

  #isApp(token: string): boolean {
    const [header, payload, signature, ...rest] = token.split('.')
    if (!header || !payload || !signature || rest.length > 0) return false
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json
    const { iss, iat, exp } = read(payload)
    const now = this.#hub.now() / 1000
    const inTime = Number(iat) <= now && Number(exp) > now && Number(exp) - Number(iat) <= MAX_JWT_SECONDS
    const signed = Buffer.from(`${header}.${payload}`)
    const isSigned = verify('RSA-SHA256', signed, this.#keyPair().publicKey, Buffer.from(signature, 'base64url'))
    return read(header)['alg'] === 'RS256' && iss === this.appId && inTime && isSigned
  }

  /** The personal access token is no longer valid. */
  end(): void {
    this.#over = true
  }
}

/** An installation as the API shows it to the app. */
export function installationView(base: string, { appId, slug }: SignIns, installation: Installation): Json {
  const { id, account, suspended, issues } = installation
  const at = '2026-01-01T00:00:00Z'
  return {
    id,
    account: personView(base, account),
    app_id: Number(appId),
    app_slug: slug,
    target_id: account.id,
    target_type: account.type,
    repository_selection: 'all',
    access_tokens_url: `${base}/app/installations/${id}/access_tokens`,
    repositories_url: `${base}/installation/repositories`,
    html_url: `${base}/organizations/${account.login}/settings/installations/${id}`,
    permissions: { metadata: 'read', ...(issues ? { issues } : {}) },
    events: ['issues'],
    created_at: at,
    updated_at: at,
    single_file_name: null,
    suspended_at: suspended ? at : null,
    suspended_by: suspended ? personView(base, account) : null,
  }
}
