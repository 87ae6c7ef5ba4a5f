import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'

/** The part of an address before `.zendesk.com`. A pasted address is reduced to it; anything that is another host is refused. */
export const Subdomain = z.pipe(
  z.pipe(
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(200)),
    z.transform((text: string) => /^(?:https:\/\/)?([^/.]+)\.zendesk\.com(?:\/.*)?$/.exec(text)?.[1] ?? text),
  ),
  z
    .string()
    .check(
      z.maxLength(63, 'A subdomain has at most 63 characters'),
      z.regex(/^[a-z0-9][a-z0-9-]*$/, 'Enter the part before .zendesk.com, such as acme'),
    ),
)

export const subdomainField = {
  name: 'subdomain',
  label: 'Subdomain',
  kind: 'text',
  required: true,
  placeholder: 'acme',
  help: 'The part of your Zendesk address before .zendesk.com.',
} as const

const Form = z.object({
  subdomain: Subdomain,
  email: z.string().check(z.trim(), z.maxLength(254), z.regex(/^[^\s:@/]+@[^\s:@/]+$/, 'Enter an e-mail address')),
  api_token: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the API token'),
      z.maxLength(512, 'A token has at most 512 characters'),
      z.regex(/^[\x21-\x7e]*$/, 'No spaces or line breaks'),
    ),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** The stored settings of a connection. The lists are what was chosen; an empty one is no restriction. */
export const ZendeskSettings = z.object({
  subdomain: Subdomain,
  /** With an API token only. */
  email: z.optional(z.nullable(z.string())),
  brands: Chosen,
  groups: Chosen,
  start_date: Chosen,
  skip_channels: Chosen,
  skip_tags: Chosen,
})
export type ZendeskSettings = z.infer<typeof ZendeskSettings>

const Secret = z.string().check(z.minLength(1))

/** An API token, or the tokens of OAuth. Without `refresh_token` the access token does not end. */
export const ZendeskSecrets = z.union([
  z.object({ access_token: Secret, refresh_token: z.optional(Secret) }),
  z.object({ api_token: Secret }),
])

export const manifest: Manifest = {
  id: 'zendesk',
  label: 'Zendesk',
  side: 'source',
  info: 'Feedback from tickets and their comments',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Use an API token',
  fields: [
    subdomainField,
    {
      name: 'email',
      label: 'E-mail',
      kind: 'text',
      required: true,
      help: 'Of an administrator: Zendesk exports tickets to administrators only.',
    },
    {
      name: 'api_token',
      label: 'API token',
      kind: 'secret',
      required: true,
      help: 'At Zendesk: Admin Center, Apps and integrations, API tokens.',
    },
  ],
  secretFields: ['api_token'],
  form: Form,
  signs: false,
  describe: ({ subdomain }) => ({
    name: typeof subdomain === 'string' && subdomain !== '' ? `${subdomain}.zendesk.com` : 'Zendesk',
    userData: {},
  }),
  unconnected: {},
}
