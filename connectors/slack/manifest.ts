import * as z from 'zod/mini'
import type { Context, Manifest } from '../connector.ts'

/** A bot token, for machines that Slack cannot reach. `check` asks Slack who it belongs to. */
const Form = z.object({
  bot_token: z
    .string()
    .check(
      z.trim(),
      z.maxLength(1024, 'A token has at most 1,024 characters'),
      z.regex(/^(xoxe\.)?xox[a-z]-[\x21-\x7e]+$/, 'A bot token starts with xoxb-'),
    ),
})

const Id = z.optional(z.nullable(z.string()))
const Chosen = z.optional(z.nullable(z.array(z.string())))

/**
 * The stored settings of a connection. `channels` are ids; without them every channel that the app is in is read. `shared_channels`: those
 * where only customers' words are feedback.
 */
export const SlackSettings = z.object({
  team_id: z.string(),
  team: z.string(),
  /** The base of links to messages, without a trailing slash, such as https://acme.slack.com. */
  workspace_url: z.optional(z.nullable(z.string())),
  bot_id: z.optional(z.nullable(z.string())),
  bot_user_id: z.optional(z.nullable(z.string())),
  channels: Chosen,
  shared_channels: Chosen,
  /** The token was issued to this connection by "Sign in with Slack", so that a disconnect may revoke it. */
  revocable: z.optional(z.nullable(z.boolean())),
  /** The apps with which Groundswell posts here: what they write is no feedback. Not stored. */
  posters: z.optional(z.array(z.object({ bot_id: Id, bot_user_id: Id }))),
})
export type SlackSettings = z.infer<typeof SlackSettings>

/** The settings of a connection that reads, with the apps that post. */
export function readerSettings({ settings, posters = [] }: Context) {
  return SlackSettings.safeParse({ ...settings, posters })
}

export const SlackSecrets = z.object({ bot_token: z.string().check(z.minLength(1)) })

export const manifest: Manifest = {
  id: 'slack',
  label: 'Slack',
  side: 'source',
  info: 'Feedback from the channels you choose',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Paste a bot token',
  fields: [
    {
      name: 'bot_token',
      label: 'Bot token',
      kind: 'secret',
      required: true,
      placeholder: 'xoxb-…',
      help: 'For machines that Slack cannot reach. At Slack: your app, OAuth & Permissions, Bot User OAuth Token.',
    },
  ],
  secretFields: ['bot_token'],
  form: Form,
  signs: false,
  describe: (settings) => {
    const name = typeof settings.team === 'string' && settings.team !== '' ? settings.team : 'Slack'
    return { name, userData: { slack_data: { access_token: null, team: { name } } } }
  },
  unconnected: { slack_data: null },
}
