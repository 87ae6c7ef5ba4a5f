import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** The events that change stored items. An app subscribes to them for all its workspaces. */
export const TOPICS = [
  'conversation.user.created',
  'conversation.user.replied',
  'conversation.admin.replied',
  'conversation.admin.closed',
  'conversation.deleted',
  'conversation_part.redacted',
] as const

/** The workspace's own app. Its client secret also signs the events. */
export const app: AppSetup = {
  title: 'Your Intercom app',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
  }),
  environment: { client_id: 'INTERCOM_CLIENT_ID', client_secret: 'INTERCOM_CLIENT_SECRET' },
  guide: ({ redirectUrl, eventsUrl }) => ({
    steps: [
      'Sign in to Intercom, open Settings, Integrations, Developer Hub, and choose New app.',
      'Under Authentication, choose Edit, switch Use OAuth on, and paste the text below as the redirect URL.',
      'On the same page, allow the permissions Read conversations, Read tags, and Read admins. No other one is needed.',
      'Under Basic information, copy the client ID and the client secret into this form, and save it.',
      `Then enter ${eventsUrl} as the endpoint URL under Webhooks, and add the topics ${TOPICS.join(', ')}. Intercom checks the address when you save it.`,
    ],
    paste: { label: 'Redirect URL', text: redirectUrl },
  }),
}
