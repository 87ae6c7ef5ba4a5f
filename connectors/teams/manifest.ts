import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'

const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Whether a text is a GUID, as ids of tenants and teams are. */
export const isGuid = (text: string) => GUID.test(text)

/** A tenant as Entra knows it: its id, or one of its verified domains. Both are safe as a part of a path. */
export const Tenant = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(253, 'A tenant has at most 253 characters'),
  z.refine(
    (text) => GUID.test(text) || DOMAIN.test(text),
    'Enter the tenant ID or a domain, such as acme.onmicrosoft.com',
  ),
)

/** The id of an app: Entra’s "Application (client) ID". */
export const ClientId = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(GUID, 'Enter the Application (client) ID, such as 00000000-0000-0000-0000-000000000000'),
  )

export const ClientSecret = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the value of the client secret'),
    z.maxLength(512, 'A client secret has at most 512 characters'),
    z.regex(/^[\x21-\x7e]*$/, 'No spaces or line breaks'),
  )

export const tenantField = {
  name: 'tenant',
  label: 'Tenant',
  kind: 'text',
  required: true,
  placeholder: 'acme.onmicrosoft.com',
  help: 'The ID or a domain of your Microsoft 365 organisation. At Entra: Overview, Tenant ID.',
} as const

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** The stored settings of a connection. The lists are what was chosen. */
export const TeamsSettings = z.object({
  tenant: Tenant,
  /** Known once it is signed in. */
  tenant_id: z.optional(z.string().check(z.regex(GUID))),
  /** With pasted credentials only. */
  client_id: z.optional(z.nullable(ClientId)),
  teams: Chosen,
  channels: Chosen,
  shared_channels: Chosen,
  start_date: Chosen,
})
export type TeamsSettings = z.infer<typeof TeamsSettings>

const Secret = z.string().check(z.minLength(1))

/** The access token, and with pasted credentials the secret that mints it. */
export const TeamsSecrets = z.object({ access_token: z.optional(Secret), client_secret: z.optional(Secret) })

export const manifest: Manifest = {
  id: 'teams',
  label: 'Microsoft Teams',
  side: 'source',
  info: 'Feedback from channels and their replies',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Use a client secret',
  fields: [
    tenantField,
    {
      name: 'client_id',
      label: 'Application (client) ID',
      kind: 'text',
      required: true,
      help: 'Of the app registration whose permissions were granted. At Entra: App registrations, Overview.',
    },
    {
      name: 'client_secret',
      label: 'Client secret',
      kind: 'secret',
      required: true,
      help: 'Its value, not its ID. At Entra: App registrations, Certificates & secrets.',
    },
  ],
  secretFields: ['client_secret'],
  form: z.object({ tenant: Tenant, client_id: ClientId, client_secret: ClientSecret }),
  signs: false,
  describe: ({ tenant }) => ({
    name: typeof tenant === 'string' && tenant !== '' ? tenant : 'Microsoft Teams',
    userData: {},
  }),
  unconnected: {},
}
