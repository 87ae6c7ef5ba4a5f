import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** The workspace's own app: its id and secret for signing in, and the secret that its events are signed with. */
export const app: AppSetup = {
  title: 'Your help desk app',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
    { name: 'signing_secret', label: 'Signing secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret', 'signing_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
    signing_secret: Credential('Enter the signing secret'),
  }),
  environment: {},
  guide: ({ redirectUrl, eventsUrl }) => ({
    steps: [
      'Open Settings > Developers in the help desk and create an app with the scope messages:read.',
      'Paste the two addresses below as its redirect URL and its events URL.',
      'Copy the client ID, the client secret and the signing secret into this form.',
    ],
    paste: { label: 'Redirect URL and events URL', text: `${redirectUrl}\n${eventsUrl}` },
  }),
}
