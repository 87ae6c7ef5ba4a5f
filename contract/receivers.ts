import * as z from 'zod/mini'
import { EventType } from './receivers/event-types.ts'
import { route } from './route.ts'
import { noControls } from './values/name.ts'
import { isWebAddress } from './values/web-address.ts'

/** The most receivers of a workspace. */
export const MAX_RECEIVERS = 10

const Address = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the URL'),
    z.maxLength(2048, 'A URL has at most 2,048 characters'),
    z.refine(isWebAddress, 'Enter a URL that starts with https:// or http://, without a user name in it'),
  )
const Description = z.string().check(z.trim(), z.maxLength(200), noControls())
/** Null: all of them, including those added in later versions. */
const Events = z.nullable(
  z.array(EventType).check(
    z.minLength(1, 'Choose at least one event'),
    z.maxLength(20),
    z.refine((events) => new Set(events).size === events.length, 'names an event twice'),
  ),
)

/**
 * A receiver of the events of a workspace. `url`: null: it was restored from a backup without secrets, and has to be entered again. `disabled`: `gone`:
 * it replied 410; `failing`: every attempt of the last days failed. `failing_since`: the first failed attempt after the last successful one.
 * `old_secret_until`: until then the secret before the last rotation signs too.
 */
export const Receiver = z.object({
  id: z.string(),
  url: z.nullable(z.string()),
  description: z.string(),
  events: z.nullable(z.array(z.string())),
  disabled: z.nullable(z.object({ reason: z.enum(['person', 'gone', 'failing']), at: z.string() })),
  failing_since: z.nullable(z.string()),
  old_secret_until: z.nullable(z.string()),
  created_at: z.string(),
})
export type Receiver = z.infer<typeof Receiver>

/**
 * An event for a receiver, and its outcome. `id` is that of the delivery, `event_id` is the `webhook-id`. `waiting`: `due_at` is when the next
 * attempt is made. `failed`: no further attempt is made. `status`: of the last response; null: there was none.
 */
export const ReceiverDelivery = z.object({
  id: z.string(),
  event_id: z.string(),
  type: z.string(),
  issue_number: z.nullable(z.int()),
  happened_at: z.string(),
  state: z.enum(['waiting', 'sending', 'delivered', 'failed']),
  due_at: z.nullable(z.string()),
  attempts: z.int(),
  attempted_at: z.nullable(z.string()),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
})
export type ReceiverDelivery = z.infer<typeof ReceiverDelivery>

const Id = z.object({ id: z.uuid() })

export const listReceivers = route({
  name: 'listReceivers',
  summary: 'The receivers of the workspace’s events, the oldest first',
  method: 'GET',
  path: '/api/receivers',
  access: 'owner',
  reply: z.object({ receivers: z.array(Receiver) }),
  errors: [],
})

/** `secret` begins with `whsec_`. It is not shown again. */
export const createReceiver = route({
  name: 'createReceiver',
  summary: 'Add a receiver of events; its signing secret is shown once',
  method: 'POST',
  path: '/api/receivers',
  access: 'owner',
  audit: { action: 'receiver.added' },
  body: z.object({ url: Address, description: Description, events: Events }),
  reply: z.object({ receiver: Receiver, secret: z.string() }),
  errors: ['invalid_input', 'conflict'],
  example: () => ({ body: { url: 'http://127.0.0.1:9/', description: '', events: null } }),
})

/** A receiver that is enabled again gets the events that were waiting for it. */
export const updateReceiver = route({
  name: 'updateReceiver',
  summary: 'Change a receiver, or enable or disable it',
  method: 'PATCH',
  path: '/api/receivers/{id}',
  access: 'owner',
  audit: { action: 'receiver.changed', target: 'id' },
  params: Id,
  body: z.object({
    url: z.optional(Address),
    description: z.optional(Description),
    events: z.optional(Events),
    enabled: z.optional(z.boolean()),
  }),
  reply: z.object({ receiver: Receiver }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ receiver }) => ({ params: { id: receiver }, body: { description: 'changed' } }),
})

/** Events that wait for it are not sent. */
export const deleteReceiver = route({
  name: 'deleteReceiver',
  summary: 'Delete a receiver with its deliveries',
  method: 'DELETE',
  path: '/api/receivers/{id}',
  access: 'owner',
  audit: { action: 'receiver.deleted', target: 'id' },
  params: Id,
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ receiver }) => ({ params: { id: receiver } }),
})

/**
 * `secret` begins with `whsec_` and is not shown again. `conflict`: the stored address and secret cannot be read, as after a restore without
 * secrets.
 */
export const rotateReceiverSecret = route({
  name: 'rotateReceiverSecret',
  summary: 'Give a receiver a new signing secret, shown once; the current one also signs for 24 hours',
  method: 'POST',
  path: '/api/receivers/{id}/secret',
  access: 'owner',
  audit: { action: 'receiver.secret-rotated', target: 'id' },
  params: Id,
  reply: z.object({ receiver: Receiver, secret: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ receiver }) => ({ params: { id: receiver } }),
})

/**
 * Returns before the event is sent; see its outcome in `listReceiverDeliveries`. `conflict`: the receiver is disabled, or an earlier test event is
 * still on its way.
 */
export const testReceiver = route({
  name: 'testReceiver',
  summary: 'Send a test event to a receiver',
  method: 'POST',
  path: '/api/receivers/{id}/test',
  access: 'owner',
  audit: { action: 'receiver.tested', target: 'id' },
  params: Id,
  reply: z.object({ delivery: ReceiverDelivery }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ receiver }) => ({ params: { id: receiver } }),
})

export const listReceiverDeliveries = route({
  name: 'listReceiverDeliveries',
  summary: 'A receiver with its last 20 events and their outcomes, latest first',
  method: 'GET',
  path: '/api/receivers/{id}/deliveries',
  access: 'owner',
  params: Id,
  reply: z.object({ receiver: Receiver, deliveries: z.array(ReceiverDelivery) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ receiver }) => ({ params: { id: receiver } }),
})

/** The receiver gets the same body under the same `webhook-id`. */
export const resendReceiverDelivery = route({
  name: 'resendReceiverDelivery',
  summary: 'Send an event to a receiver again',
  method: 'POST',
  path: '/api/receivers/{id}/deliveries/{delivery_id}/send',
  access: 'owner',
  audit: { action: 'receiver.sent-again', target: 'id' },
  params: z.object({ id: z.uuid(), delivery_id: z.uuid() }),
  reply: z.object({ delivery: ReceiverDelivery }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ receiver, receiverDelivery }) => ({
    params: { id: receiver, delivery_id: receiverDelivery },
  }),
})
