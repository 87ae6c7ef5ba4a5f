import * as z from 'zod/mini'
import { listed } from '../kit/listed.ts'

const Id = z.string().check(z.minLength(1))
const Time = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'Not a time'))

/** The fields that are read from the help desk's responses. */
export const Account = z.object({ id: Id, name: z.string() })
export const Inboxes = z.object({ inboxes: z.array(z.object({ id: Id, name: z.string() })) })
export const Tokens = z.object({ access_token: Id, refresh_token: Id, expires_in: z.number().check(z.positive()) })

/** A message. A deleted one has nothing left but its id. */
export const Message = z.union([
  z.object({ id: Id, deleted: z.literal(true) }),
  z.object({
    id: Id,
    deleted: z.literal(false),
    conversation: Id,
    inbox: Id,
    author: z.object({ name: z.nullable(z.string()), kind: z.string() }),
    body: z.string(),
    created_at: Time,
    updated_at: Time,
    url: z.string(),
  }),
])
export type Message = z.infer<typeof Message>

export const MessagePage = z.object({ messages: listed(Message), next: Id, has_more: z.boolean() })

export const Event = z.object({
  id: Id,
  account: Id,
  type: z.string(),
  message: z.optional(z.string().check(z.regex(/^\w{1,64}$/))),
})
