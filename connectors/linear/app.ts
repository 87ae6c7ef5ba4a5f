import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** Reading teams and issues, creating issues and comments, and changing issues. */
export const SCOPES = ['read', 'write', 'issues:create', 'comments:create'] as const

const Optional = z.string().check(z.trim(), z.maxLength(512), z.regex(/^[\x21-\x7e]*$/, 'No spaces or line breaks'))

/** The workspace's own OAuth application. */
export const app: AppSetup = {
  title: 'Your Linear application',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
    {
      name: 'webhook_secret',
      label: 'Webhook signing secret',
      kind: 'secret',
      required: false,
      help: 'Verifies that events come from Linear. Without it, changes arrive by polling.',
    },
  ],
  secretFields: ['client_secret', 'webhook_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
    webhook_secret: z.optional(Optional),
  }),
  environment: {
    client_id: 'LINEAR_CLIENT_ID',
    client_secret: 'LINEAR_CLIENT_SECRET',
    webhook_secret: 'LINEAR_WEBHOOK_SECRET',
  },
  guide: ({ redirectUrl, eventsUrl }) => ({
    steps: [
      'Sign in to Linear as an administrator and open Settings, API, OAuth applications. Choose New.',
      'Enter Groundswell as the name, and paste the text below as the callback URL.',
      `Switch webhooks on, paste ${eventsUrl} as the webhook URL, and select the events Issues and OAuthApp revoked.`,
      'Create the application, then copy the client ID, the client secret and the webhook signing secret into this form.',
    ],
    paste: { label: 'Callback URL', text: redirectUrl },
  }),
}
