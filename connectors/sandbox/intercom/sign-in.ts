import { randomBytes } from 'node:crypto'
import type { ConsentPage } from '../consent.ts'
import { AuthorizationCodes, bearerOf, canReturn } from '../grants.ts'
import { ok, type Reply, refuse } from './reply.ts'
import { WORKSPACE } from './workspace.ts'

type App = { clientId: string; clientSecret: string }

export type SignIns = ConsentPage & {
  /** `POST /auth/eagle/token`. */
  grant(body: Record<string, unknown>): Reply
  /** `POST /auth/uninstall`: ends every token of OAuth. */
  uninstall(): Reply
  isValid(authorization: string | undefined): boolean
  revokeAll(): void
}

/** OAuth like Intercom's, with tokens that do not end, and one pasted access token. */
export function createSignIns({ clientId, clientSecret }: App, pasted: string): SignIns {
  const codes = new AuthorizationCodes<true>()
  const tokens = new Set<string>()
  let over = false
  return {
    problem(values) {
      if (values.get('client_id') !== clientId) return 'The client ID is not that of an app.'
      if (!canReturn(values)) return 'The address to return to cannot be used.'
      return values.get('state') ? null : 'A state is required.'
    },
    words: () => ({
      title: 'Groundswell wants to read your Intercom',
      about: `Intercom on this machine, with the made-up workspace ${WORKSPACE}.`,
      permissions: ['Read conversations', 'Read tags', 'Read admins'],
      action: '/oauth',
      cancel: 'Deny',
      allow: 'Authorize access',
    }),
    decide: (values) => codes.decide(values, true),
    grant({ code, client_id, client_secret }) {
      if (client_id !== clientId || client_secret !== clientSecret) return refuse(401, 'unauthorized')
      if (!codes.take(code)) return refuse(404, 'not_found')
      const token = randomBytes(32).toString('base64url')
      tokens.add(token)
      return ok({ token_type: 'Bearer', token, access_token: token })
    },
    uninstall() {
      tokens.clear()
      return { status: 200, body: null }
    },
    isValid(authorization) {
      const token = bearerOf(authorization)
      return !over && (token === pasted || tokens.has(token))
    },
    revokeAll() {
      over = true
    },
  }
}
