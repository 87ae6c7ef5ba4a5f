import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** What cannot be done without. */
export const REQUIRED_SCOPES = ['read:jira-work', 'write:jira-work', 'read:jira-user'] as const
/** Reading and writing issues, who signed in, events, and a refresh token. */
export const SCOPES = [...REQUIRED_SCOPES, 'manage:jira-webhook', 'offline_access'] as const

/** The workspace's own OAuth 2.0 (3LO) app. */
export const app: AppSetup = {
  title: 'Your Atlassian app',
  fields: [
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Secret', kind: 'secret', required: true },
  ],
  secretFields: ['client_secret'],
  form: z.object({
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the secret'),
  }),
  environment: { client_id: 'JIRA_CLIENT_ID', client_secret: 'JIRA_CLIENT_SECRET' },
  guide: ({ redirectUrl }) => ({
    steps: [
      'Sign in at developer.atlassian.com/console/myapps, choose Create, OAuth 2.0 integration, and enter Groundswell as the name.',
      `Under Permissions, add the Jira API and configure its scopes ${[...REQUIRED_SCOPES, 'manage:jira-webhook'].join(', ')}.`,
      'Under Authorization, add OAuth 2.0 (3LO) and paste the text below as the callback URL.',
      'Under Settings, copy the client ID and the secret into this form.',
    ],
    paste: { label: 'Callback URL', text: redirectUrl },
  }),
}
