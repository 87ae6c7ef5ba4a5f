import { isWebAddress } from '@groundswell/contract/values/web-address.ts'
import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'

/** The webhook's form. A client token that is absent, empty or null means none. */
const WebhookForm = z.object({
  webhook: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the URL'),
      z.maxLength(2048, 'A URL has at most 2,048 characters'),
      z.refine(isWebAddress, 'Enter a URL that starts with https:// or http://, without a user name in it'),
    ),
  client_token: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.trim(),
          z.maxLength(1024, 'A token has at most 1,024 characters'),
          z.regex(/^[\x21-\x7e]*$/, 'A token has no spaces, line breaks or special characters'),
        ),
    ),
  ),
})

const SigningSecret = z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/))
/**
 * The URL is a secret, because many receivers identify senders by a key in it. `signing_secret_old` exists only during a
 * rotation; an invalid one does not affect the current one.
 */
export const WebhookSecrets = z.object({
  webhook: z.string(),
  client_token: z.optional(z.nullable(z.string())),
  signing_secret: SigningSecret,
  signing_secret_old: z.optional(
    z.pipe(
      z.unknown(),
      z.transform((stored) => SigningSecret.safeParse(stored).data ?? null),
    ),
  ),
})

export const manifest: Manifest = {
  id: 'webhook',
  label: 'Webhook',
  side: 'destination',
  info: 'Signed insights to your URL',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Enter Webhook URL',
  fields: [
    { name: 'webhook', label: 'Webhook URL', kind: 'url', required: true, placeholder: 'https://example.com/hook' },
    {
      name: 'client_token',
      label: 'Client token (optional)',
      kind: 'secret',
      required: false,
      help: 'Sent as a Bearer token with every delivery.',
    },
  ],
  secretFields: ['webhook', 'client_token'],
  form: WebhookForm,
  signs: true,
  describe: (_settings, secrets) => {
    const webhook = z.string().parse(secrets['webhook'])
    return {
      name: new URL(webhook).host,
      userData: { webhook_destination: { url: webhook }, destination_webhook: true },
    }
  },
  unconnected: { webhook_destination: null, destination_webhook: false },
}
