import type { FormField } from '@groundswell/contract/connections.ts'
import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'

/** Where Intercom keeps a workspace: its API, and the app that teammates use. */
export const REGIONS = {
  us: { label: 'United States', api: 'https://api.intercom.io', app: 'https://app.intercom.com' },
  eu: { label: 'Europe', api: 'https://api.eu.intercom.io', app: 'https://app.eu.intercom.com' },
  au: { label: 'Australia', api: 'https://api.au.intercom.io', app: 'https://app.au.intercom.com' },
} as const

/** Nothing else than a region decides which host is requested. */
export const Region = z.enum(['us', 'eu', 'au'], 'Choose the region of your workspace')
export type Region = z.infer<typeof Region>

export const regionField: FormField = {
  name: 'region',
  label: 'Region',
  kind: 'select',
  required: true,
  help: 'Where Intercom hosts your workspace. It is the United States unless you chose another region.',
  options: Object.entries(REGIONS).map(([value, { label }]) => ({ value, label })),
}

const Form = z.object({
  region: Region,
  access_token: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the access token'),
      z.maxLength(512, 'A token has at most 512 characters'),
      z.regex(/^[\x21-\x7e]*$/, 'No spaces or line breaks'),
    ),
})

const Chosen = z.optional(z.nullable(z.array(z.string())))

/** The workspace's id, which events and links contain. */
export const WorkspaceId = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** The stored settings of a connection. The lists are what was chosen; an empty one is no restriction. */
export const IntercomSettings = z.object({
  region: Region,
  workspace_id: WorkspaceId,
  workspace: z.optional(z.nullable(z.string())),
  /** The token was issued to this connection by OAuth, so that a disconnect may revoke it. */
  revocable: z.optional(z.nullable(z.boolean())),
  start_date: Chosen,
  teams: Chosen,
  tags: Chosen,
  authors: Chosen,
})
export type IntercomSettings = z.infer<typeof IntercomSettings>

/** Intercom's access tokens do not end. */
export const IntercomSecrets = z.object({ access_token: z.string().check(z.minLength(1)) })

export const manifest: Manifest = {
  id: 'intercom',
  label: 'Intercom',
  side: 'source',
  info: 'Feedback from conversations',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Use an access token',
  fields: [
    regionField,
    {
      name: 'access_token',
      label: 'Access token',
      kind: 'secret',
      required: true,
      help: 'At Intercom: Settings, Integrations, Developer Hub, your app, Authentication.',
    },
  ],
  secretFields: ['access_token'],
  form: Form,
  signs: false,
  describe: ({ workspace }) => ({
    name: typeof workspace === 'string' && workspace !== '' ? workspace : 'Intercom',
    userData: {},
  }),
  unconnected: {},
}
