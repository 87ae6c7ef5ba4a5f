import * as z from 'zod/mini'
import { route } from './route.ts'

/**
 * The states of a delivery. `waiting`: see `WaitReason`. `sending`: an attempt is under way. `failed`: it is not attempted again unless a person
 * asks.
 */
export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed'] as const
/** One of `DELIVERY_STATES`. */
export const DeliveryState = z.enum(DELIVERY_STATES)

/**
 * Why a delivery waits. due: it is sent within moments. retry: the last attempt failed. retry-after: the destination named the
 * time. rate-limited: the destination is limiting requests. hourly: at most one update of an insight an hour.
 * signed-out, paused: until the destination is back. held: the insight already qualified when the destination was connected
 * or switched on, or when the threshold was lowered; it waits until a person pushes it. confirming: it is not known yet whether the
 * last attempt created an item.
 */
export const WaitReason = z.enum([
  'due',
  'retry',
  'retry-after',
  'rate-limited',
  'hourly',
  'signed-out',
  'paused',
  'held',
  'confirming',
])
export type WaitReason = z.infer<typeof WaitReason>

/** One attempt of a delivery. `status` is null without a response; `answer` is its first 2 KiB. */
export const Attempt = z.object({
  number: z.int(),
  at: z.string(),
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  answer: z.nullable(z.string()),
})
export type Attempt = z.infer<typeof Attempt>

/**
 * The item that a tracker keeps of an insight. `label` is how people call it there, such as ENG-12; `state_name` is the tracker's own
 * word for its state; gone: deleted there, or moved out of reach. `declined`: it was closed without being done, and `state_name` is why.
 */
export const RemoteItemView = z.object({
  label: z.string(),
  url: z.nullable(z.string()),
  state: z.enum(['open', 'closed', 'gone']),
  state_name: z.nullable(z.string()),
  declined: z.optional(z.boolean()),
})
export type RemoteItemView = z.infer<typeof RemoteItemView>

/** What became of sending again what had been delivered. failed: `last_error` says why. */
export const ResendState = z.enum(['waiting', 'sending', 'failed'])
export type ResendState = z.infer<typeof ResendState>

/**
 * One event of one insight for one destination. `event_id` is sent with it and is the same on every attempt. What was delivered once stays
 * `delivered`: `again` says how sending it again goes, null when nothing of that is under way or failed.
 * `waits_for` is null unless the state or `again` is `waiting`; `next_attempt_at` is null where no time is known.
 */
export const Delivery = z.object({
  id: z.string(),
  event_id: z.string(),
  destination: z.string(),
  issue_number: z.int(),
  issue_name: z.string(),
  event: z.enum(['insight.created', 'insight.updated']),
  state: DeliveryState,
  again: z.optional(z.nullable(ResendState)),
  attempts: z.int(),
  last_status: z.nullable(z.int()),
  last_error: z.nullable(z.string()),
  /** What was left out although it was delivered, such as a comment that the sign-in may not write. */
  notice: z.optional(z.nullable(z.string())),
  next_attempt_at: z.nullable(z.string()),
  waits_for: z.optional(z.nullable(WaitReason)),
  created_at: z.string(),
  delivered_at: z.nullable(z.string()),
  /** The item it created at the destination, if that has an address. */
  remote_url: z.optional(z.nullable(z.string())),
  /** That item as it is now, where the destination is a tracker. */
  remote: z.optional(z.nullable(RemoteItemView)),
})
export type Delivery = z.infer<typeof Delivery>

const DeliveryParams = z.object({ id: z.uuid() })

/** `destination`: the id of a connector, such as `jira`. `cursor`: the `next_cursor` of the page before; null on the last page. */
export const listDeliveries = route({
  name: 'listDeliveries',
  summary: 'The delivery ledger, newest first',
  method: 'GET',
  path: '/api/deliveries',
  access: 'viewer',
  query: z.object({
    destination: z.optional(z.string().check(z.maxLength(40))),
    state: z.optional(DeliveryState),
    issue_number: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647))),
    cursor: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({ deliveries: z.array(Delivery), next_cursor: z.nullable(z.string()) }),
  errors: ['invalid_input'],
})

/** With the delivery, every attempt with its status, duration and answer. */
export const getDelivery = route({
  name: 'getDelivery',
  summary: 'One delivery with every attempt',
  method: 'GET',
  path: '/api/deliveries/{id}',
  access: 'viewer',
  params: DeliveryParams,
  reply: z.object({ delivery: Delivery, attempts: z.array(Attempt) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ delivery }) => ({ params: { id: delivery } }),
})

/**
 * Sends the stored body again, unchanged. `conflict`: it is being sent at the moment, or its destination is paused, signed out or no longer
 * connected.
 */
export const replayDelivery = route({
  name: 'replayDelivery',
  summary: 'Send one delivery again, with the same event id',
  method: 'POST',
  path: '/api/deliveries/{id}/replay',
  access: 'member',
  audit: { action: 'delivery.replayed', target: 'id' },
  params: DeliveryParams,
  reply: z.object({ delivery: Delivery }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ delivery }) => ({ params: { id: delivery } }),
})

/** Insights that are held back from one destination and have been neither chosen nor declined yet. */
export const HeldOffer = z.object({ destination: z.string(), count: z.int() })
export type HeldOffer = z.infer<typeof HeldOffer>

/** Which of the held insights are pushed; without `destination` it applies to every destination. */
export const HeldAnswer = z.object({
  push: z._default(z.enum(['none', 'largest', 'all']), 'none'),
  destination: z.optional(z.string().check(z.maxLength(40))),
})
export type HeldAnswer = z.infer<typeof HeldAnswer>

/** Only offers that nobody has answered with `answerHeld` yet. */
export const listHeld = route({
  name: 'listHeld',
  summary: 'Insights that already qualified and are held, counted for each destination',
  method: 'GET',
  path: '/api/deliveries/held',
  access: 'viewer',
  reply: z.object({ held: z.array(HeldOffer) }),
  errors: [],
})

/** `pushed` are sent now; `left` stay held, are not offered again, and can be pushed by hand. */
export const answerHeld = route({
  name: 'answerHeld',
  summary: 'Push none, the 10 largest or all of the held insights',
  method: 'POST',
  path: '/api/deliveries/held',
  access: 'member',
  audit: { action: 'held-insights.answered' },
  body: HeldAnswer,
  reply: z.object({ pushed: z.int(), left: z.int() }),
  errors: ['invalid_input', 'not_configured'],
  example: () => ({ body: { push: 'none' } }),
})

/** Stands in a preview for the id that is chosen when the insight is pushed for the first time. */
export const PREVIEW_ID = '00000000-0000-4000-8000-000000000000'

/**
 * A request as it would be sent. Parts of the address that are secret are hidden, and of the headers only the names are shown.
 * The body is complete.
 */
export const PreviewedRequest = z.object({
  method: z.string(),
  address: z.string(),
  headers: z.array(z.string()),
  body: z.string(),
})
export type PreviewedRequest = z.infer<typeof PreviewedRequest>

/** What an item would show at the tracker, in the tracker's own format. Null and empty: it is not set, or not changed. */
export const PreviewedItem = z.object({
  title: z.nullable(z.string()),
  text: z.nullable(z.string()),
  labels: z.array(z.string()),
  assignee: z.nullable(z.string()),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type PreviewedItem = z.infer<typeof PreviewedItem>

/**
 * What a push would send now. `insight` is null where there is no insight yet: then it is about example data. `more`: what else is sent
 * depends on the destination's reply to the last request. `placeholder`: the id in the requests that is replaced by another one when the
 * insight is pushed; null where the id is known already.
 */
export const PushPreview = z.object({
  destination: z.string(),
  insight: z.nullable(z.object({ issue_number: z.int(), issue_name: z.string() })),
  event: z.enum(['insight.created', 'insight.updated']),
  requests: z.array(PreviewedRequest),
  item: z.nullable(PreviewedItem),
  more: z.boolean(),
  placeholder: z.nullable(z.string()),
})
export type PushPreview = z.infer<typeof PushPreview>

/** Sends nothing that changes anything at the destination. Without `issue_number`: the insight with the most mentions. */
export const previewPush = route({
  name: 'previewPush',
  summary: 'What pushing an insight to one destination would send, without sending it',
  method: 'GET',
  path: '/api/{tile}/preview',
  access: 'viewer',
  params: z.object({ tile: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)) }),
  query: z.object({
    issue_number: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647))),
  }),
  reply: PushPreview,
  errors: ['invalid_input', 'not_found', 'not_configured', 'conflict', 'provider_refused', 'provider_unavailable'],
  example: ({ destination, issue }) => ({ params: { tile: destination }, query: { issue_number: issue } }),
})
