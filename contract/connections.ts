import * as z from 'zod/mini'
import { RemoteItemView } from './deliveries.ts'
import { route } from './route.ts'
import { FormValues } from './values/form-values.ts'

/** The state of a tile: not connected (`na`), reading (`syncing`) or connected. */
export const TileStatus = z.enum(['na', 'syncing', 'connected'])
export type TileStatus = z.infer<typeof TileStatus>

/** One field of a connector's form. The web app renders the form from these. */
export const FormField = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'url', 'secret', 'select', 'switch']),
  required: z.boolean(),
  help: z.optional(z.string()),
  placeholder: z.optional(z.string()),
  options: z.optional(z.array(z.object({ value: z.string(), label: z.string() }))),
})
export type FormField = z.infer<typeof FormField>

/** The public part of a connector's manifest: enough to render its tile and its form. */
export const ConnectorView = z.object({
  id: z.string(),
  label: z.string(),
  side: z.enum(['source', 'destination']),
  info: z.string(),
  /** An SVG image, as text; null or absent where the web app has its own. */
  logo: z.optional(z.nullable(z.string())),
  coming_soon: z.boolean(),
  tile: z.boolean(),
  form_title: z.string(),
  fields: z.array(FormField),
  signs: z.boolean(),
  /** It is connected on the provider's own page, by `authorize` and `oauth`. */
  signs_in: z.optional(z.boolean()),
  /** What `authorize` needs to know first, such as a subdomain. */
  sign_in_fields: z.optional(z.array(FormField)),
  /** The workspace may use its own app at the provider. */
  has_app: z.optional(z.boolean()),
  /** There is something to choose once it is connected, such as channels. */
  has_choices: z.optional(z.boolean()),
  /** It is read by syncs. */
  syncs: z.optional(z.boolean()),
  /** It keeps an item of each insight, such as an issue. */
  tracks: z.optional(z.boolean()),
})
export type ConnectorView = z.infer<typeof ConnectorView>

/** The result of the last Test of a connection. `status` is null when the provider gave none. */
export const LastTest = z.object({
  at: z.string(),
  ok: z.boolean(),
  status: z.nullable(z.int()),
  message: z.string(),
})
export type LastTest = z.infer<typeof LastTest>

/** How many items a tracker has by their states, and the one that was created last. */
export const TrackedItems = z.object({ open: z.int(), closed: z.int(), gone: z.int(), latest: RemoteItemView })
export type TrackedItems = z.infer<typeof TrackedItems>

/** What was chosen for a field: the labels of its first values, and how many more there are. */
export const ChosenView = z.object({ label: z.string(), values: z.array(z.string()), more: z.int() })
export type ChosenView = z.infer<typeof ChosenView>

/** The most messages with attachments only that are counted for a source. */
export const MAX_ATTACHMENT_ONLY = 1_000

/** What a source could not read and tries again. `label` tells an item from others of its noun; `more`: the number of further items, about which nothing is known. */
export const SetAside = z.object({
  items: z.array(z.object({ noun: z.string(), label: z.string(), link: z.nullable(z.string()), reason: z.string() })),
  more: z.int(),
})
export type SetAside = z.infer<typeof SetAside>

/** How far a first sync is: items of the provider that were read and about how many there are, such as conversations. */
const Through = z.object({ noun: z.string(), read: z.int(), total: z.int() })

/**
 * The state of one connection. `paused`: the provider asked us to stop. `progress` counts messages; `total` is null while unknown, and `of`
 * except during a first sync from a provider that counts.
 * `incomplete`: a sentence about the feedback that is known to be missing. `waiting_until`: the provider asked for a pause until then. A sign-in
 * that has ended is `na` with an `error`. `ready` false: required choices have not been made, so that nothing is read or sent.
 */
export const ConnectionView = z.object({
  id: z.string(),
  status: TileStatus,
  name: z.string(),
  paused: z.boolean(),
  push_automatically: z.boolean(),
  error: z.nullable(z.string()),
  progress: z.nullable(
    z.object({ read: z.number(), total: z.nullable(z.number()), of: z.optional(z.nullable(Through)) }),
  ),
  last_sync: z.nullable(z.string()),
  incomplete: z.optional(z.nullable(z.string())),
  /** Sources: how many messages there were when a sync last read everything; null before that. */
  messages: z.optional(z.nullable(z.int())),
  /** Sources: messages that consist of attachments only, which are not read; counted up to `MAX_ATTACHMENT_ONLY`. */
  attachment_only: z.optional(z.int()),
  set_aside: z.optional(z.nullable(SetAside)),
  waiting_until: z.optional(z.nullable(z.string())),
  last_test: z.optional(z.nullable(LastTest)),
  /** Trackers: whether a closed item is reopened when its insight is mentioned again. Otherwise it gets a comment. */
  reopen_items: z.optional(z.boolean()),
  /** Trackers: null before there is an item. */
  items: z.optional(z.nullable(TrackedItems)),
  ready: z.optional(z.boolean()),
  chosen: z.optional(z.array(ChosenView)),
  /** Text about how it works, for example why changes arrive by polling. */
  note: z.optional(z.nullable(z.string())),
})
export type ConnectionView = z.infer<typeof ConnectionView>

/** The id of a connector as it is in paths, such as `slack`: lower-case letters, digits and hyphens, at most 40. */
export const TileId = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/))
/** The path parameters of the calls about one tile. */
export const TileParams = z.object({ tile: TileId })

export const listConnectors = route({
  name: 'listConnectors',
  summary: 'Every connector with the state of its connection',
  method: 'GET',
  path: '/api/connectors',
  access: 'viewer',
  reply: z.object({
    connectors: z.array(z.object({ manifest: ConnectorView, connection: z.nullable(ConnectionView) })),
  }),
  errors: [],
})

/**
 * Body: the fields of the connector's own form, e.g. webhook (URL) and client_token for the webhook. Nothing is pushed:
 * insights that already qualify are held and offered by `listHeld`.
 */
export const addConnection = route({
  name: 'addConnection',
  summary: 'Connect by form',
  method: 'POST',
  path: '/api/{tile}/add',
  access: 'member',
  audit: { action: 'connection.connected', target: 'tile' },
  params: TileParams,
  body: FormValues,
  reply: z.object({ message: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ destination }) => ({
    params: { tile: destination },
    body: { webhook: 'http://127.0.0.1:9/', client_token: 'x' },
  }),
})

/**
 * `status`: the HTTP status of a destination that takes example data; null for others. `answer`: the body of its reply, or what a source or a
 * tracker is connected to. `not_configured`: the tile is not connected, lacks a required choice, or takes no example data.
 */
export const testConnection = route({
  name: 'testConnection',
  summary: 'Test the connection through the real connector, a destination with example data, and return the result',
  method: 'POST',
  path: '/api/{tile}/test',
  access: 'member',
  audit: { action: 'connection.tested', target: 'tile' },
  params: TileParams,
  reply: z.object({ message: z.string(), status: z.nullable(z.int()), answer: z.nullable(z.string()) }),
  errors: ['invalid_input', 'not_found', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ destination }) => ({ params: { tile: destination } }),
})

/** Disconnects a tile and discards the pushes held for it. `not_configured`: the tile is not connected. */
export const disconnect = route({
  name: 'disconnect',
  summary: 'Disconnect; imported feedback stays',
  method: 'POST',
  path: '/api/{tile}/disconnect',
  access: 'member',
  audit: { action: 'connection.disconnected', target: 'tile' },
  params: TileParams,
  reply: z.object({ message: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  ends: 'connection',
  example: ({ destination }) => ({ params: { tile: destination } }),
})

/** What was read stays. `not_configured`: the tile is not connected. */
export const cancelSync = route({
  name: 'cancelSync',
  summary: 'Stop the running sync after its current page; the next sync resumes there',
  method: 'POST',
  path: '/api/{tile}/cancel',
  access: 'member',
  audit: { action: 'sync.cancelled', target: 'tile' },
  params: TileParams,
  reply: z.object({ message: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ destination }) => ({ params: { tile: destination } }),
})

/** Fields that are left out stay as they are; `paused` can only be set to false. `not_configured`: the tile is not connected. */
export const updateConnection = route({
  name: 'updateConnection',
  summary:
    'Change how a connection behaves: push automatically or not, reopen closed items or not, resume after a pause',
  method: 'PATCH',
  path: '/api/{tile}/connection',
  access: 'member',
  audit: { action: 'connection.changed', target: 'tile' },
  params: TileParams,
  body: z.object({
    push_automatically: z.optional(z.boolean()),
    reopen_items: z.optional(z.boolean()),
    paused: z.optional(z.literal(false)),
  }),
  reply: ConnectionView,
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ destination }) => ({ params: { tile: destination }, body: { push_automatically: false } }),
})

/** `not_configured`: the tile is not connected, its requests are not signed, or it has no secret yet. */
export const getSigningSecret = route({
  name: 'getSigningSecret',
  summary: 'The secret that signs the requests to a destination',
  method: 'GET',
  path: '/api/{tile}/signing-secret',
  access: 'member',
  audit: { action: 'signing-secret.shown', target: 'tile' },
  params: TileParams,
  reply: z.object({ secret: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ destination }) => ({ params: { tile: destination } }),
})

/** Returns the new secret. `not_configured`: the tile is not connected, or its requests are not signed. */
export const rotateSigningSecret = route({
  name: 'rotateSigningSecret',
  summary: 'Create a new signing secret; the previous one also signs for another day',
  method: 'POST',
  path: '/api/{tile}/signing-secret/rotate',
  access: 'member',
  audit: { action: 'signing-secret.rotated', target: 'tile' },
  params: TileParams,
  reply: z.object({ secret: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ destination }) => ({ params: { tile: destination } }),
})
