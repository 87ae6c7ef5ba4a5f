import * as z from 'zod/mini'
import { lenient } from '../kit/lenient.ts'
import { listed } from '../kit/listed.ts'

const Text = z.optional(z.nullable(z.string()))
/** A time in ISO 8601. */
const Time = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'No time'))
const MaybeTime = z.optional(z.nullable(Time))
/** Ids end up in paths and external ids: anything unusual is refused, also `.` and `..`. */
const Id = z.string().check(z.regex(/^(?!\.{1,2}$)[\w:@.=-]{1,200}$/))

/** The body of a refusal. */
export const GraphError = z.object({ error: z.object({ code: Text, message: Text }) })

const Identity = z.object({ id: Text, displayName: Text, tenantId: Text, userIdentityType: Text })
const From = z.object({
  user: z.optional(z.nullable(Identity)),
  application: z.optional(z.nullable(z.object({ id: Text, displayName: Text }))),
})
export type From = z.infer<typeof From>

const Attachment = z.object({ contentType: Text, content: Text, name: Text })
export type Attachment = z.infer<typeof Attachment>

const times = {
  createdDateTime: MaybeTime,
  lastModifiedDateTime: MaybeTime,
  lastEditedDateTime: MaybeTime,
  deletedDateTime: MaybeTime,
}
/** The times of a message, in any order. */
export type Times = z.infer<z.ZodMiniObject<typeof times>>

/** The fields of a post or a reply that are read. A delta may contain the rest of a removed one. */
const written = {
  id: Id,
  ...times,
  '@removed': lenient(z.object({ reason: Text })),
  messageType: Text,
  subject: Text,
  webUrl: Text,
  from: lenient(From),
  body: lenient(z.object({ contentType: Text, content: Text })),
  attachments: lenient(z.array(lenient(Attachment))),
}
const Reply = z.object(written)
export type Reply = z.infer<typeof Reply>

/** A post of a channel, with its first replies. */
export const Message = z.object({
  ...written,
  /** With `$expand` only. Of one that is malformed there is nothing but its times. */
  replies: lenient(z.array(z.union([Reply, z.object(times)]))),
  /** The rest of the replies, where there are more. */
  'replies@odata.nextLink': lenient(z.string()),
  'replies@odata.count': lenient(z.number()),
})
export type Message = z.infer<typeof Message>

/** A message as lists have it: one that was written has the time at which it was. */
const Listed = Message.check(
  z.refine((message) => Boolean(message.createdDateTime || message.deletedDateTime || message['@removed']), {
    path: ['createdDateTime'],
    error: 'No time',
  }),
)
/** What of a message that cannot be parsed is enough to read it again. */
export const WithId = z.object({ id: Id })

const page = <T extends z.ZodMiniType>(list: T) => z.object({ value: list, '@odata.nextLink': Text })

/** A page of posts or replies. `@odata.deltaLink`: on the last page of a delta, where the next one begins. */
export const MessagePage = z.extend(page(listed(Listed)), { '@odata.deltaLink': Text })
export type MessageList = z.infer<typeof MessagePage>['value']
/** A page of teams. */
export const TeamPage = page(z.array(z.object({ id: Id, displayName: Text })))
/** A page of the channels of a team; `membershipType`: `standard`, `private` or `shared`. */
export const ChannelPage = page(z.array(z.object({ id: Id, displayName: Text, membershipType: Text })))
/** A page of the subscriptions of the app. */
export const SubscriptionPage = page(z.array(z.object({ id: Id, resource: Text, notificationUrl: Text })))
/** A new or renewed subscription, with its end. */
export const OneSubscription = z.object({ id: Id, expirationDateTime: Time })

/** A person; `userType`: `Member` or `Guest`. */
export const User = z.object({ userType: Text })

/** The reply of the token endpoint. */
export const Token = z.object({
  access_token: z.string().check(z.minLength(1)),
  /** Seconds. */
  expires_in: z.number().check(z.positive()),
})
/** An error of Entra. The codes are those of `AADSTS…`. */
export const TokenError = z.object({ error: z.string(), error_codes: z.optional(z.nullable(z.array(z.number()))) })
/** The discovery document of a tenant; its issuer contains the id of the tenant. */
export const OpenIdConfiguration = z.object({ issuer: z.string() })

const Notification = z.object({
  id: Text,
  clientState: Text,
  tenantId: Text,
  subscriptionId: Text,
  changeType: Text,
  lifecycleEvent: Text,
  resource: Text,
})
export type Notification = z.infer<typeof Notification>
/** The body of an event: several notifications. */
export const Notifications = z.object({ value: z.array(Notification) })
