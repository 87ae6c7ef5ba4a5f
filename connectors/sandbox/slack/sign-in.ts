import { randomBytes } from 'node:crypto'
import { type Answer, refuse } from './methods.ts'
import { BOT, TEAM } from './workspace.ts'

type App = { clientId: string; clientSecret: string }
type Decision = { redirect: string } | { problem: string }

export type SignIns = {
  /** Why a request to sign in cannot be shown, or null. */
  problem(values: URLSearchParams): string | null
  decide(values: URLSearchParams): Decision
  /** `oauth.v2.access`: a code is valid once, for the app and the address that it was made for. */
  exchange(values: URLSearchParams, authorization: string | undefined): Answer
  isGood(token: string): boolean
  /** `auth.revoke`: with `test`, nothing is revoked. */
  revoke(token: string, values: URLSearchParams): Answer
  revokeAll(): void
}

/** OAuth v2 like Slack's. `botToken` is valid from the start, for pasting. */
export function createSignIns({ clientId, clientSecret }: App, botToken: string): SignIns {
  const codes = new Map<string, string>()
  const tokens = new Set([botToken])
  const problem = (values: URLSearchParams): string | null => {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== clientId) return 'The client ID is not that of an app of this workspace.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The address to return to cannot be used.'
    return values.get('scope') ? null : 'No permissions were requested.'
  }
  return {
    problem,
    decide(values) {
      const wrong = problem(values)
      if (wrong !== null) return { problem: wrong }
      const redirect = new URL(values.get('redirect_uri') ?? '')
      redirect.searchParams.set('state', values.get('state') ?? '')
      if (values.get('decision') === 'allow') {
        const code = randomBytes(16).toString('hex')
        codes.set(code, values.get('redirect_uri') ?? '')
        redirect.searchParams.set('code', code)
      } else {
        redirect.searchParams.set('error', 'access_denied')
      }
      return { redirect: redirect.href }
    },
    exchange(values, authorization) {
      const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
      const [id, secret] = basic
        ? Buffer.from(basic, 'base64').toString().split(':')
        : [values.get('client_id'), values.get('client_secret')]
      if (id !== clientId) return refuse('invalid_client_id')
      if (secret !== clientSecret) return refuse('bad_client_secret')
      const code = values.get('code') ?? ''
      const redirect = codes.get(code)
      codes.delete(code)
      if (redirect === undefined) return refuse('invalid_code')
      if (values.get('redirect_uri') !== redirect) return refuse('bad_redirect_uri')
      const token = `xoxb-sandbox-${randomBytes(12).toString('hex')}`
      tokens.add(token)
      return {
        ok: true,
        access_token: token,
        token_type: 'bot',
        scope: 'channels:history,channels:read,groups:history,groups:read,users:read,team:read',
        bot_user_id: BOT.user,
        app_id: BOT.app,
        team: { name: TEAM.name, id: TEAM.id },
        enterprise: null,
        is_enterprise_install: false,
        authed_user: { id: 'U0TALLY0001' },
      }
    },
    isGood: (token) => tokens.has(token),
    revoke(token, values) {
      if (/^(1|true)$/.test(values.get('test') ?? '')) return { ok: true, revoked: false }
      return { ok: true, revoked: tokens.delete(token) }
    },
    revokeAll: () => tokens.clear(),
  }
}
