import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** A field of an app at Help Scout: its id or its secret. */
const Form = z.strictObject({
  app_id: Credential('Enter the App ID'),
  app_secret: Credential('Enter the App Secret'),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** The stored settings of a connection. The lists are what was chosen; an empty one is no restriction. */
export const HelpScoutSettings = z.object({
  name: z.optional(z.nullable(z.string())),
  /** With client credentials only. */
  app_id: z.optional(z.nullable(z.string())),
  start_date: Chosen,
  inboxes: Chosen,
  tags: Chosen,
  skip_tags: Chosen,
})
export type HelpScoutSettings = z.infer<typeof HelpScoutSettings>

const Secret = z.string().check(z.minLength(1))

/** The secret of an app and the token that was minted with it, or the tokens of OAuth. */
export const HelpScoutSecrets = z.union([
  z.object({ app_secret: Secret, access_token: z.optional(Secret) }),
  z.object({ access_token: Secret, refresh_token: z.optional(Secret) }),
])

export const manifest: Manifest = {
  id: 'helpscout',
  label: 'Help Scout',
  side: 'source',
  info: 'Feedback from mailbox conversations',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Use your own app',
  fields: [
    {
      name: 'app_id',
      label: 'App ID',
      kind: 'text',
      required: true,
      help: 'At Help Scout: your profile, My apps, Create app.',
    },
    { name: 'app_secret', label: 'App Secret', kind: 'secret', required: true },
  ],
  secretFields: ['app_secret'],
  form: Form,
  signs: false,
  describe: ({ name }) => ({ name: typeof name === 'string' && name !== '' ? name : 'Help Scout', userData: {} }),
  unconnected: {},
}
