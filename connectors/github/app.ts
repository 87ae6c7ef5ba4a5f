import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'
import { readPrivateKey } from './app-token.ts'

/** What an installation's token may do. Reading metadata is part of every app. */
export const PERMISSIONS = { issues: 'write', metadata: 'read' } as const

/** The workspace's own GitHub App. */
export const app: AppSetup = {
  title: 'Your GitHub App',
  fields: [
    { name: 'app_id', label: 'App ID', kind: 'text', required: true, placeholder: '123456' },
    {
      name: 'slug',
      label: 'Name in its address',
      kind: 'text',
      required: true,
      placeholder: 'acme-groundswell',
      help: 'The last part of the app’s public address, https://github.com/apps/…',
    },
    { name: 'client_id', label: 'Client ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
    {
      name: 'private_key',
      label: 'Private key',
      kind: 'secret',
      required: true,
      help: 'The whole text of the .pem file that GitHub generates.',
    },
    {
      name: 'webhook_secret',
      label: 'Webhook secret',
      kind: 'secret',
      required: false,
      help: 'Verifies that events come from GitHub. Without it, changes arrive by polling.',
    },
  ],
  secretFields: ['client_secret', 'private_key', 'webhook_secret'],
  form: z.object({
    app_id: z.string().check(z.trim(), z.regex(/^\d{1,15}$/, 'An app ID is a number')),
    slug: z
      .string()
      .check(
        z.trim(),
        z.toLowerCase(),
        z.maxLength(100),
        z.regex(/^[a-z0-9][a-z0-9-]*$/, 'Enter the part after https://github.com/apps/'),
      ),
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
    private_key: z.string().check(
      z.maxLength(20_000, 'A private key has at most 20,000 characters'),
      z.refine((text) => readPrivateKey(text) !== null, 'Paste the whole text of the .pem file'),
    ),
    webhook_secret: z.optional(z.string().check(z.trim(), z.maxLength(512))),
  }),
  environment: {
    app_id: 'GITHUB_APP_ID',
    slug: 'GITHUB_APP_SLUG',
    client_id: 'GITHUB_APP_CLIENT_ID',
    client_secret: 'GITHUB_APP_CLIENT_SECRET',
    private_key: 'GITHUB_APP_PRIVATE_KEY',
    webhook_secret: 'GITHUB_APP_WEBHOOK_SECRET',
  },
  guide: ({ redirectUrl, eventsUrl }) => ({
    steps: [
      'On GitHub, open the settings of your organization, Developer settings, GitHub Apps, and choose New GitHub App.',
      'Enter a name and a homepage, and paste the text below as the callback URL.',
      'Select “Request user authorization (OAuth) during installation”.',
      `Enter ${eventsUrl} as the webhook URL and a long random text as its secret. Without a public address, deselect Active.`,
      'Under repository permissions, set Issues to read and write. Under events, select Issues.',
      'Create the app, generate a client secret and a private key, and copy everything into this form.',
    ],
    paste: { label: 'Callback URL', text: redirectUrl },
  }),
}
