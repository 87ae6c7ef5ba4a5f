import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** The workspace's own app. Help Scout sends people back to the redirect URL of the app; a request cannot name another one. */
export const app: AppSetup = {
  title: 'Your Help Scout app',
  fields: [
    { name: 'client_id', label: 'App ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'App Secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret'],
  form: z.object({ client_id: Credential('Enter the App ID'), client_secret: Credential('Enter the App Secret') }),
  environment: { client_id: 'HELPSCOUT_CLIENT_ID', client_secret: 'HELPSCOUT_CLIENT_SECRET' },
  guide: ({ redirectUrl }) => ({
    steps: [
      'Sign in to Help Scout, open your profile from the menu at the top right, and choose My apps.',
      'Choose Create app, and enter a name.',
      'Paste the text below as the redirection URL, then create the app.',
      'Copy the App ID and the App Secret into this form.',
    ],
    paste: { label: 'Redirection URL', text: redirectUrl },
  }),
}
