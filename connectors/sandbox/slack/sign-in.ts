import { randomBytes } from 'node:crypto'
import { type ConsentPage, scopeWords } from '../consent.ts'
import { AuthorizationCodes, canReturn } from '../grants.ts'
import { type Answer, refuse } from './methods.ts'
import { BOT, type Bot, TEAM } from './workspace.ts'

export type App = { clientId: string; clientSecret: string; bot: Bot }
/** How long issued tokens last, and for how long a refresh token stays good after its first use. */
export type Rotation = { seconds: number; graceMs: number }

export type SignIns = ConsentPage & {
  /** `oauth.v2.access`: a code is valid once, for the app and the address that it was made for. */
  exchange(values: URLSearchParams, authorization: string | undefined): Answer
  isGood(token: string): boolean
  /** Whose token it is, and what its app may do: every consent of an app adds to that, also for tokens issued before. */
  holderOf(token: string): { bot: Bot; scopes: ReadonlySet<string> }
  /** `auth.revoke`: with `test`, nothing is revoked. */
  revoke(token: string, values: URLSearchParams): Answer
  /** The token was valid once, and its time is over. */
  hasExpired(token: string): boolean
  revokeAll(): void
}

const MEANING = {
  'channels:history': 'Read messages in public channels that it is in',
  'channels:read': 'See public channels',
  'groups:history': 'Read messages in private channels that it is in',
  'groups:read': 'See private channels that it is in',
  'users:read': 'See the names of people',
  'team:read': 'See the name of the workspace',
  'chat:write': 'Post messages in channels that it is in',
}

/** What the app that reads is given from the start, for its pasted token. */
const READING = ['channels:history', 'channels:read', 'groups:history', 'groups:read', 'users:read', 'team:read']

/**
 * OAuth v2 like Slack's. `botToken` is valid from the start, for pasting. With `rotation`, issued tokens end and come
 * with a refresh token that is good once, or for as long as the grace lasts after its first use.
 */
export function createSignIns(
  apps: readonly App[],
  botToken: string,
  { rotation, now }: { rotation: () => Rotation | null; now: () => Date },
): SignIns {
  const codes = new AuthorizationCodes<{ app: App | undefined; scopes: string[] }>()
  const appOf = (id: string | null | undefined) => apps.find(({ clientId }) => clientId === id)
  const granted = new Map<Bot, Set<string>>([[BOT, new Set(READING)]])
  const holders = new Map<string, Bot>([[botToken, BOT]])
  /** When they end, in milliseconds. */
  const tokens = new Map([[botToken, Number.POSITIVE_INFINITY]])
  /** The time of their first use. */
  const refreshTokens = new Map<string, number | null>()
  const spend = (token: string): boolean => {
    const usedAt = refreshTokens.get(token)
    if (usedAt === undefined) return false
    if (usedAt === null) refreshTokens.set(token, now().getTime())
    return usedAt === null || now().getTime() - usedAt < (rotation()?.graceMs ?? 0)
  }
  const issue = ({ bot }: App) => {
    const random = randomBytes(12).toString('hex')
    const rotated = rotation()
    if (!rotated) {
      const token = `xoxb-sandbox-${random}`
      tokens.set(token, Number.POSITIVE_INFINITY)
      holders.set(token, bot)
      return { access_token: token }
    }
    const [token, refreshToken] = [`xoxe.xoxb-sandbox-${random}`, `xoxe-1-sandbox-${randomBytes(12).toString('hex')}`]
    tokens.set(token, now().getTime() + rotated.seconds * 1000)
    refreshTokens.set(refreshToken, null)
    holders.set(token, bot)
    return { access_token: token, refresh_token: refreshToken, expires_in: rotated.seconds }
  }
  return {
    problem(values) {
      if (!appOf(values.get('client_id'))) return 'The client ID is not that of an app of this workspace.'
      if (!canReturn(values)) return 'The address to return to cannot be used.'
      return values.get('scope') ? null : 'No permissions were requested.'
    },
    words: (values) => ({
      title: `Groundswell wants to ${values.get('scope')?.includes('chat:write') ? 'post to' : 'read'} your Slack`,
      about: `Slack on this machine, with the made-up workspace ${TEAM.name}.`,
      permissions: scopeWords(values, MEANING, ','),
      action: '/oauth/v2/authorize',
    }),
    decide: (values) =>
      codes.decide(values, { app: appOf(values.get('client_id')), scopes: (values.get('scope') ?? '').split(',') }),
    exchange(values, authorization) {
      const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
      const [id, secret] = basic
        ? Buffer.from(basic, 'base64').toString().split(':')
        : [values.get('client_id'), values.get('client_secret')]
      const app = appOf(id)
      if (!app) return refuse('invalid_client_id')
      if (secret !== app.clientSecret) return refuse('bad_client_secret')
      if (values.get('grant_type') === 'refresh_token') {
        if (!spend(values.get('refresh_token') ?? '')) return refuse('invalid_refresh_token')
      } else {
        const given = codes.take(values.get('code'))
        if (given?.grant.app !== app) return refuse('invalid_code')
        if (values.get('redirect_uri') !== given.redirect) return refuse('bad_redirect_uri')
        granted.set(app.bot, new Set([...(granted.get(app.bot) ?? []), ...given.grant.scopes]))
      }
      return {
        ok: true,
        ...issue(app),
        token_type: 'bot',
        scope: [...(granted.get(app.bot) ?? [])].join(','),
        bot_user_id: app.bot.user,
        app_id: app.bot.app,
        team: { name: TEAM.name, id: TEAM.id },
        enterprise: null,
        is_enterprise_install: false,
        authed_user: { id: 'U0TALLY0001' },
      }
    },
    holderOf(token) {
      const bot = holders.get(token) ?? BOT
      return { bot, scopes: granted.get(bot) ?? new Set() }
    },
    isGood: (token) => (tokens.get(token) ?? 0) > now().getTime(),
    hasExpired: (token) => (tokens.get(token) ?? Number.POSITIVE_INFINITY) <= now().getTime(),
    revoke(token, values) {
      if (/^(1|true)$/.test(values.get('test') ?? '')) return { ok: true, revoked: false }
      return { ok: true, revoked: tokens.delete(token) }
    },
    revokeAll() {
      tokens.clear()
      refreshTokens.clear()
    },
  }
}
