import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** The workspace's own OAuth app. ClickUp has no scopes: a person allows whole workspaces. */
export const app: AppSetup = {
  title: 'Your ClickUp app',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
  }),
  environment: { client_id: 'CLICKUP_CLIENT_ID', client_secret: 'CLICKUP_CLIENT_SECRET' },
  guide: ({ redirectUrl }) => ({
    steps: [
      'Sign in to ClickUp as an owner or administrator. Open your avatar, Settings, Apps, and choose Create new app.',
      'Enter Groundswell as the name, and paste the text below as the redirect URL.',
      'Create the app, then copy the client ID and the client secret into this form.',
      'When you sign in, select the workspace that the tasks are for.',
    ],
    paste: { label: 'Redirect URL', text: redirectUrl },
  }),
}
