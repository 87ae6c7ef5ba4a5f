import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'
import { readLogo } from '../kit/logo.ts'

const Token = z
  .string()
  .check(z.trim(), z.minLength(8, 'A token has at least 8 characters'), z.maxLength(1024), z.regex(/^[\x21-\x7e]+$/))

/** The stored settings. `inboxes` is what was chosen; an empty list is every inbox. */
export const Settings = z.object({
  name: z.optional(z.string()),
  inboxes: z.optional(z.nullable(z.array(z.string()))),
})

const Secret = z.string().check(z.minLength(1))

/** An API token, or the tokens of OAuth. */
export const Secrets = z.union([z.object({ access_token: Secret, refresh_token: Secret }), z.object({ token: Secret })])

export const manifest: Manifest = {
  id: '_template-source',
  label: 'Template source',
  side: 'source',
  info: 'Feedback from the messages of a help desk',
  logo: readLogo(import.meta.url),
  comingSoon: false,
  tile: true,
  formTitle: 'Use an API token',
  fields: [
    { name: 'token', label: 'API token', kind: 'secret', required: true, help: 'Create one under Settings > API.' },
  ],
  secretFields: ['token'],
  form: z.object({ token: Token }),
  signs: false,
  describe: (settings) => ({ name: Settings.safeParse(settings).data?.name || 'Template source', userData: {} }),
  unconnected: {},
}
