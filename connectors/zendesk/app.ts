import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** Reading everything, and creating the webhook that sends events. */
export const SCOPES = ['read', 'webhooks:write'] as const

/** The workspace's own OAuth client: one that works with several accounts has to be approved by Zendesk. */
export const app: AppSetup = {
  title: 'Your Zendesk OAuth client',
  fields: [
    {
      name: 'client_id',
      label: 'Unique identifier',
      kind: 'text',
      required: true,
      help: 'Zendesk’s name for the client ID.',
    },
    { name: 'client_secret', label: 'Secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret'],
  form: z.object({
    client_id: Credential('Enter the unique identifier'),
    client_secret: Credential('Enter the secret'),
  }),
  environment: { client_id: 'ZENDESK_CLIENT_ID', client_secret: 'ZENDESK_CLIENT_SECRET' },
  guide: ({ redirectUrl }) => ({
    steps: [
      'Sign in to Zendesk as an administrator and open Admin Center, Apps and integrations, APIs, OAuth clients.',
      'Choose Add OAuth client, enter a name, and choose Confidential as the kind of client.',
      'Paste the text below as the redirect URL, then save the client.',
      'Copy the unique identifier and the secret into this form. Zendesk shows the secret only once.',
    ],
    paste: { label: 'Redirect URL', text: redirectUrl },
  }),
}
