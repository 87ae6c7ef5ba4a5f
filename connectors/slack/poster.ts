import * as z from 'zod/mini'
import type { AppSetup, Context, OAuth, Posting } from '../connector.ts'
import { Credential } from '../kit/credential.ts'
import { isConnectorFailure, Rejected } from '../kit/errors.ts'
import type { PostOutcome, PostRequest } from '../poster.ts'
import { OrgWideInstall } from './check.ts'
import { read, requestTokens, SlackRefusal, slackUrl, write } from './client.ts'
import { listChannels } from './directory.ts'
import { SlackSettings } from './manifest.ts'
import { slackText } from './post-text.ts'
import { revoke } from './revoke.ts'
import { issued, refresh } from './rotation.ts'
import { Access, AuthTest, Posted } from './schema.ts'

/**
 * What the app that posts may do. Without `chat:write.public` it posts only where someone invited it, which a person at Slack decides; the list of
 * channels is there to choose one.
 */
const POST_SCOPES = ['chat:write', 'channels:read', 'groups:read'] as const

/** Why Slack did not accept a message, for what a person can do about it. */
const REFUSALS: Record<string, string> = {
  not_in_channel: 'The app that posts is not in the channel: invite it there with /invite',
  channel_not_found: 'The app that posts does not see the channel: invite it there with /invite',
  is_archived: 'The channel is archived',
  msg_too_long: 'The message is too long for Slack',
  thread_not_found: 'The conversation no longer exists',
  restricted_action: 'The settings of the Slack workspace do not let apps post in this channel',
}

const CAN_READ =
  'This app may read messages, so it cannot be used for posting. Create a second app, and remove chat:write from this one at Slack'

const appManifest = (redirectUrl: string) =>
  JSON.stringify(
    {
      display_information: { name: 'Groundswell posts', description: 'Posts digests, alerts and replies' },
      features: { bot_user: { display_name: 'Groundswell', always_online: false } },
      oauth_config: { redirect_urls: [redirectUrl], scopes: { bot: POST_SCOPES } },
      settings: { org_deploy_enabled: false, socket_mode_enabled: false, token_rotation_enabled: false },
    },
    null,
    2,
  )

/**
 * A separate app: Slack has one bot token for each app and workspace, and a second consent adds its scopes to that token: with the app of the tile,
 * the token that reads could post from then on.
 */
const app: AppSetup = {
  title: 'Your Slack app for posting',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
  }),
  environment: {},
  guide: ({ redirectUrl }) => ({
    steps: [
      'Open api.slack.com/apps and choose Create New App, From a manifest. Pick your workspace. This is a second app: the one that reads keeps its permissions.',
      'Replace the existing text with the text below, then create the app.',
      'Open Basic Information and copy the client ID and the client secret into this form.',
    ],
    paste: { label: 'App manifest', text: appManifest(redirectUrl) },
  }),
}

const oauth: OAuth = {
  authorizeUrl(context, { client_id = '' }, { redirectUrl, state }) {
    const query = new URLSearchParams({ client_id, scope: POST_SCOPES.join(','), redirect_uri: redirectUrl, state })
    return `${slackUrl(context)}/oauth/v2/authorize?${query.toString()}`
  },
  async exchange(context, { client_id, client_secret }, { redirectUrl, code }) {
    const values = { client_id, client_secret, code, redirect_uri: redirectUrl }
    const access = await requestTokens(context, values, Access)
    if (access.is_enterprise_install) throw new OrgWideInstall()
    // A pasted token does not tell its app, so this may be the one that reads after all.
    if (access.scope?.split(',').some((scope) => scope.endsWith(':history'))) throw new Rejected(CAN_READ)
    const { secrets, expiresAt } = issued(access, context.now())
    const me = await read({ ...context, secrets }, 'auth.test', {}, AuthTest)
    const settings = {
      team_id: me.team_id,
      team: access.team?.name || me.team,
      bot_id: me.bot_id ?? null,
      bot_user_id: access.bot_user_id ?? me.user_id ?? null,
      revocable: true,
    }
    return { account: me.team_id, settings, secrets, expiresAt }
  },
}

/** The thread of a message has the workspace, the channel and the time of its first message. */
const THREAD = /^([^:]+):([^:]+):(\d{1,11}\.\d{1,9})$/

export const poster: Posting = {
  permits: 'Post messages in channels that the app is invited to, and list channels. It cannot read messages.',
  app,
  oauth,
  refresh,
  revoke,
  isSameApp: (own, readers) => own.client_id === readers.client_id,
  async channels(context) {
    const listed = await listChannels(context, { exclude_archived: true })
    return listed
      .filter(({ is_member }) => is_member === true)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .map(({ id, name, is_private }) => ({ id, label: `#${name}`, ...(is_private ? { hint: 'Private' } : {}) }))
  },
  conversation(settings, thread) {
    const [, team, channel, ts] = THREAD.exec(thread) ?? []
    const own = SlackSettings.safeParse(settings).data?.team_id
    return team !== undefined && channel && ts && team === own ? { channel, thread: ts } : null
  },
  post,
}

/** Slack's description has no key by which it would drop a second copy of a message. */
async function post(context: Context, { channel, thread, lines }: PostRequest): Promise<PostOutcome> {
  const values = {
    channel,
    text: slackText(lines),
    thread_ts: thread,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  }
  try {
    const { ts } = await write(context, 'chat.postMessage', values, Posted)
    return { id: ts }
  } catch (error) {
    const words = error instanceof SlackRefusal ? REFUSALS[error.code] : undefined
    if (words !== undefined && isConnectorFailure(error)) throw new Rejected(words)
    throw error
  }
}
