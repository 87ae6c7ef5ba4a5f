import { randomBytes } from 'node:crypto'
import { ok, type Reply, refuse } from './reply.ts'

type App = { clientId: string; clientSecret: string }

export type SignIns = {
  /** Why a request to sign in cannot be shown, or null. */
  problem(values: URLSearchParams): string | null
  /** Where the browser goes after the decision; null where it cannot be made. */
  decide(values: URLSearchParams): string | null
  /** `POST /auth/eagle/token`. */
  grant(body: Record<string, unknown>): Reply
  /** `POST /auth/uninstall`: ends every token of OAuth. */
  uninstall(): Reply
  isValid(authorization: string | undefined): boolean
  revokeAll(): void
}

/** OAuth like Intercom's, with tokens that do not end, and one pasted access token. */
export function createSignIns({ clientId, clientSecret }: App, pasted: string): SignIns {
  const codes = new Set<string>()
  const tokens = new Set<string>()
  let over = false
  const problem = (values: URLSearchParams): string | null => {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== clientId) return 'The client ID is not that of an app.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The address to return to cannot be used.'
    return values.get('state') ? null : 'A state is required.'
  }
  return {
    problem,
    decide(values) {
      if (problem(values) !== null) return null
      const redirect = new URL(values.get('redirect_uri') ?? '')
      redirect.searchParams.set('state', values.get('state') ?? '')
      if (values.get('decision') === 'allow') {
        const code = randomBytes(16).toString('hex')
        codes.add(code)
        redirect.searchParams.set('code', code)
      } else {
        redirect.searchParams.set('error', 'access_denied')
      }
      return redirect.href
    },
    grant({ code, client_id, client_secret }) {
      if (client_id !== clientId || client_secret !== clientSecret) return refuse(401, 'unauthorized')
      if (!codes.delete(String(code))) return refuse(404, 'not_found')
      const token = randomBytes(32).toString('base64url')
      tokens.add(token)
      return ok({ token_type: 'Bearer', token, access_token: token })
    },
    uninstall() {
      tokens.clear()
      return { status: 200, body: null }
    },
    isValid(authorization = '') {
      const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''
      return !over && (token === pasted || tokens.has(token))
    },
    revokeAll() {
      over = true
    },
  }
}
