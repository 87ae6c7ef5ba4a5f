import * as z from 'zod/mini'
import { route } from './route.ts'

export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed'] as const
export const DeliveryState = z.enum(DELIVERY_STATES)

/** One try of a delivery. `status` is null when no answer came; `answer` is the first 2 KiB of it. */
export const Attempt = z.object({
  number: z.int(),
  at: z.string(),
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  answer: z.nullable(z.string()),
})
export type Attempt = z.infer<typeof Attempt>

/** One event of one insight on its way to one destination. `event_id` goes out with it and is the same on every try. */
export const Delivery = z.object({
  id: z.string(),
  event_id: z.string(),
  destination: z.string(),
  issue_number: z.int(),
  issue_name: z.string(),
  event: z.enum(['insight.created', 'insight.updated']),
  state: DeliveryState,
  attempts: z.int(),
  last_status: z.nullable(z.int()),
  last_error: z.nullable(z.string()),
  next_attempt_at: z.nullable(z.string()),
  created_at: z.string(),
  delivered_at: z.nullable(z.string()),
  /** The item it became on the other side, where that has an address. */
  remote_url: z.optional(z.nullable(z.string())),
})
export type Delivery = z.infer<typeof Delivery>

const DeliveryParams = z.object({ id: z.uuid() })

export const listDeliveries = route({
  name: 'listDeliveries',
  summary: 'The delivery ledger, newest first',
  method: 'GET',
  path: '/api/deliveries',
  access: 'member',
  query: z.object({
    destination: z.optional(z.string().check(z.maxLength(40))),
    state: z.optional(DeliveryState),
    issue_number: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647))),
    cursor: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({ deliveries: z.array(Delivery), next_cursor: z.nullable(z.string()) }),
  errors: ['invalid_input'],
})

export const getDelivery = route({
  name: 'getDelivery',
  summary: 'One delivery with every attempt',
  method: 'GET',
  path: '/api/deliveries/{id}',
  access: 'member',
  params: DeliveryParams,
  reply: z.object({ delivery: Delivery, attempts: z.array(Attempt) }),
  errors: ['invalid_input', 'not_found'],
})

export const replayDelivery = route({
  name: 'replayDelivery',
  summary: 'Send one delivery again, with the same event id',
  method: 'POST',
  path: '/api/deliveries/{id}/replay',
  access: 'member',
  params: DeliveryParams,
  reply: z.object({ delivery: Delivery }),
  errors: ['invalid_input', 'not_found', 'conflict'],
})
