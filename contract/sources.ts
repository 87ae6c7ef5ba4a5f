import * as z from 'zod/mini'
import { FormField, TileId, TileParams } from './connections.ts'
import { route } from './route.ts'
import { FormValues } from './values/form-values.ts'

const Message = z.object({ message: z.string() })

/** Body: the values of the connector's `sign_in_fields`, where it has any. */
export const authorize = route({
  name: 'authorize',
  summary:
    'Begin to connect on the provider’s own page: its address, with a state that is good once and for ten minutes',
  method: 'POST',
  path: '/api/{tile}/authorize',
  access: 'member',
  audit: 'none',
  params: TileParams,
  body: z.optional(FormValues),
  reply: z.object({ url: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/**
 * `state` names the provider: the part before its first dot is the tile. `query`: every parameter that the provider sent back. `code`
 * may be absent where `state` and another parameter are there, such as the id of an installation.
 */
export const finishOAuth = route({
  name: 'finishOAuth',
  summary: 'Finish connecting with the provider’s reply',
  method: 'POST',
  path: '/api/{tile}/oauth',
  access: 'member',
  audit: { action: 'connection.connected', target: 'tile' },
  params: TileParams,
  body: z.object({
    code: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
    state: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
    query: z.optional(z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(4096)))),
  }),
  reply: Message,
  errors: ['invalid_input', 'not_found', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ source }) => ({ params: { tile: source }, body: { code: 'x' } }),
})

/** `given`: which fields are filled in; their values are never shown. */
export const AppView = z.object({
  title: z.string(),
  fields: z.array(FormField),
  given: z.record(z.string(), z.boolean()),
  set_up: z.boolean(),
  from: z.nullable(z.enum(['workspace', 'environment'])),
  redirect_url: z.string(),
  events_url: z.string(),
  steps: z.array(z.string()),
  paste: z.nullable(z.object({ label: z.string(), text: z.string() })),
})
export type AppView = z.infer<typeof AppView>

export const getApp = route({
  name: 'getApp',
  summary: 'The workspace’s own app at the provider: how to set it up, and which of its fields are given',
  method: 'GET',
  path: '/api/{tile}/app',
  access: 'member',
  params: TileParams,
  reply: AppView,
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/** An empty secret keeps the stored value. */
export const saveApp = route({
  name: 'saveApp',
  summary: 'Store the credentials of the workspace’s own app, sealed',
  method: 'PUT',
  path: '/api/{tile}/app',
  access: 'member',
  audit: { action: 'provider-app.saved', target: 'tile' },
  params: TileParams,
  body: FormValues,
  reply: AppView,
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({
    params: { tile: source },
    body: { client_id: '1.1', client_secret: 'x', signing_secret: 'x' },
  }),
})

const ChoiceOption = z.object({ value: z.string(), label: z.string(), hint: z.optional(z.string()) })

/**
 * Something to choose. `text` and `date` (YYYY-MM-DD) have no options; absent means `select`. `single`: at most one value.
 * `searchable`: there are more options, found by typing. A change of a field in `depends_on` clears it; of a list of several values it
 * removes only those that are no longer offered. `chosen`: values, with those of the draft in place of stored ones; `chosen_options` has the labels of those that are not among the options.
 */
export const ChoiceView = z.object({
  field: z.string(),
  label: z.string(),
  help: z.string(),
  kind: z.optional(z.enum(['select', 'text', 'date'])),
  single: z.optional(z.boolean()),
  required: z.optional(z.boolean()),
  searchable: z.optional(z.boolean()),
  depends_on: z.optional(z.array(z.string())),
  options: z.array(ChoiceOption),
  chosen: z.array(z.string()),
  chosen_options: z.optional(z.array(ChoiceOption)),
})
export type ChoiceView = z.infer<typeof ChoiceView>

/** Field → list of values, as JSON in a query. */
const FieldLists = z.optional(z.string().check(z.maxLength(5000)))

/** `draft`: values that are not saved yet. `search`: the text typed for a field, as a list of one. */
export const getChoices = route({
  name: 'getChoices',
  summary: 'What can be chosen for a connection, such as channels, as the provider lists it now',
  method: 'GET',
  path: '/api/{tile}/choices',
  access: 'member',
  params: TileParams,
  query: z.object({ draft: FieldLists, search: FieldLists }),
  reply: z.object({ choices: z.array(ChoiceView) }),
  errors: ['invalid_input', 'not_found', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/**
 * Field → chosen values. Fields left out stay as they are; one that is no longer offered for the chosen values is removed. A source
 * begins a sync. `search`: texts by which the values of searchable fields were found, at most 20 a field.
 */
export const saveChoices = route({
  name: 'saveChoices',
  summary: 'Choose what is read, or where insights go',
  method: 'PUT',
  path: '/api/{tile}/choices',
  access: 'member',
  audit: { action: 'connection.changed', target: 'tile' },
  params: TileParams,
  query: z.object({ search: FieldLists }),
  body: z.record(z.string(), z.array(z.string().check(z.maxLength(500))).check(z.maxLength(10_000))),
  reply: Message,
  errors: ['invalid_input', 'not_found', 'not_configured', 'conflict', 'provider_refused', 'provider_unavailable'],
  example: ({ source }) => ({ params: { tile: source }, body: {} }),
})

/** Returns before anything is read. `not_configured`: the tile is not connected, its sign-in has ended, or a required choice is missing. */
export const startSync = route({
  name: 'startSync',
  summary: 'Start a sync now',
  method: 'POST',
  path: '/api/{tile}/sync',
  access: 'member',
  audit: { action: 'sync.started', target: 'tile' },
  params: TileParams,
  reply: Message,
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/** Providers put what they like in it. A repeated parameter is not passed on. */
const ProviderQuery = z.record(z.string(), z.unknown())
/** The key of a connection's own address, 32 random bytes in base64url. */
const KeyParams = z.object({ tile: TileId, key: z.string().check(z.maxLength(1000)) })

/** `forbidden`: the signature is wrong. A job processes the events after the reply. */
export const receiveEvents = route({
  name: 'receiveEvents',
  summary: 'Events sent by a provider. Verified by their signature; the response has the provider’s own format',
  method: 'POST',
  path: '/api/{tile}/events',
  access: 'public',
  audit: 'none',
  params: TileParams,
  query: ProviderQuery,
  raw: true,
  reply: z.unknown(),
  errors: ['invalid_input', 'not_found', 'not_configured', 'forbidden', 'payload_too_large'],
  example: ({ source }) => ({ params: { tile: source }, raw: '{}' }),
})

export const confirmEvents = route({
  name: 'confirmEvents',
  summary: 'The same, for providers that verify the address with a GET request',
  method: 'GET',
  path: '/api/{tile}/events',
  access: 'public',
  params: TileParams,
  query: ProviderQuery,
  reply: z.unknown(),
  errors: ['invalid_input', 'not_found', 'not_configured', 'forbidden'],
  example: ({ source }) => ({ params: { tile: source } }),
})

export const receiveOwnEvents = route({
  name: 'receiveOwnEvents',
  summary:
    'Events sent by a provider to the address of one connection, by its key. An unknown key is refused like a forged signature',
  method: 'POST',
  path: '/api/{tile}/events/{key}',
  access: 'public',
  audit: 'none',
  params: KeyParams,
  query: ProviderQuery,
  raw: true,
  reply: z.unknown(),
  errors: ['invalid_input', 'not_found', 'not_configured', 'forbidden', 'payload_too_large'],
  example: ({ source }) => ({ params: { tile: source, key: 'unknown' }, raw: '{}' }),
})

export const confirmOwnEvents = route({
  name: 'confirmOwnEvents',
  summary: 'The same, for providers that verify the address with a GET request',
  method: 'GET',
  path: '/api/{tile}/events/{key}',
  access: 'public',
  params: KeyParams,
  query: ProviderQuery,
  reply: z.unknown(),
  errors: ['invalid_input', 'not_found', 'not_configured', 'forbidden'],
  example: ({ source }) => ({ params: { tile: source, key: 'unknown' } }),
})
