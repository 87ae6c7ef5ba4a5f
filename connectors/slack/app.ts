import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** The bot's scopes: reading the channels it was invited to, and the names of people and of the workspace. */
export const SCOPES = [
  'channels:history',
  'channels:read',
  'groups:history',
  'groups:read',
  'users:read',
  'team:read',
] as const

/** The manifest from which Slack creates the app. JSON is valid YAML, and needs no quoting rules of ours. */
function slackManifest(redirectUrl: string, eventsUrl: string): string {
  return JSON.stringify(
    {
      display_information: { name: 'Groundswell', description: 'Reads customer feedback in the channels it is in' },
      features: { bot_user: { display_name: 'Groundswell', always_online: false } },
      oauth_config: { redirect_urls: [redirectUrl], scopes: { bot: SCOPES } },
      settings: {
        event_subscriptions: {
          request_url: eventsUrl,
          bot_events: ['app_uninstalled', 'message.channels', 'message.groups', 'tokens_revoked'],
        },
        org_deploy_enabled: false,
        socket_mode_enabled: false,
        token_rotation_enabled: false,
      },
    },
    null,
    2,
  )
}

/** The workspace's own Slack app: its rate limits are far higher than those of a distributed app. */
export const app: AppSetup = {
  title: 'Your Slack app',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
    {
      name: 'signing_secret',
      label: 'Signing secret',
      kind: 'secret',
      required: true,
      help: 'Verifies that events come from Slack.',
    },
  ],
  secretFields: ['client_secret', 'signing_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
    signing_secret: Credential('Enter the signing secret'),
  }),
  environment: {
    client_id: 'SLACK_CLIENT_ID',
    client_secret: 'SLACK_CLIENT_SECRET',
    signing_secret: 'SLACK_SIGNING_SECRET',
  },
  guide: ({ redirectUrl, eventsUrl }) => ({
    steps: [
      'Open api.slack.com/apps and choose Create New App, From a manifest. Pick your workspace.',
      'Replace the existing text with the text below, then create the app.',
      'Open Basic Information and copy the client ID, the client secret and the signing secret into this form.',
      'Open Event Subscriptions. If the request URL is not verified yet, choose Retry once this form is saved.',
    ],
    paste: { label: 'App manifest', text: slackManifest(redirectUrl, eventsUrl) },
  }),
}
