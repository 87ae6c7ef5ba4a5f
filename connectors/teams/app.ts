import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { ClientId, ClientSecret } from './manifest.ts'

/** Application permissions of Microsoft Graph. The last one is optional. */
export const PERMISSIONS = {
  teams: 'Team.ReadBasic.All',
  channels: 'Channel.ReadBasic.All',
  messages: 'ChannelMessage.Read.All',
  users: 'User.Read.All',
} as const

/** The workspace's own app in Entra. Without a signed-in user, it reads what an administrator grants to it. */
export const app: AppSetup = {
  title: 'Your Entra app',
  fields: [
    { name: 'client_id', label: 'Application (client) ID', kind: 'text', required: true },
    {
      name: 'client_secret',
      label: 'Client secret',
      kind: 'secret',
      required: true,
      help: 'Its value, not its ID.',
    },
  ],
  secretFields: ['client_secret'],
  form: z.object({ client_id: ClientId, client_secret: ClientSecret }),
  environment: { client_id: 'TEAMS_CLIENT_ID', client_secret: 'TEAMS_CLIENT_SECRET' },
  guide: ({ redirectUrl }) => ({
    steps: [
      'Sign in to the Microsoft Entra admin center and open App registrations, New registration.',
      'Choose Accounts in this organizational directory only. Choose Web as the platform, and paste the text below as the redirect URI.',
      `Open API permissions, Add a permission, Microsoft Graph, Application permissions, and add ${PERMISSIONS.messages}, ${PERMISSIONS.channels} and ${PERMISSIONS.teams}. ${PERMISSIONS.users} is optional: it distinguishes guests from members.`,
      'Open Certificates & secrets, New client secret, and copy its value. Entra shows it only once.',
      'Copy the Application (client) ID from Overview and the secret into this form. Consent is given when you connect.',
    ],
    paste: { label: 'Redirect URI', text: redirectUrl },
  }),
}
