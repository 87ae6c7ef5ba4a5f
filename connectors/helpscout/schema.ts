import * as z from 'zod/mini'
import { lenient } from '../kit/lenient.ts'
import { listed, type Malformed, namesListed } from '../kit/listed.ts'

const Text = z.optional(z.nullable(z.string()))
const Id = z.int().check(z.positive())
const Count = z.int().check(z.nonnegative())
/** A time in ISO 8601. */
const Time = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'No time'))

const PageInfo = z.object({ size: Count, totalElements: Count, totalPages: Count, number: Count })
export type PageInfo = z.infer<typeof PageInfo>

/** A page of a list. `_embedded` is missing where it is empty. */
const pageOf = <I>(key: string, list: z.ZodMiniType<I[]>) =>
  z.pipe(
    z.object({
      _embedded: z.optional(z.nullable(z.looseObject({ [key]: z.optional(list) }))),
      page: PageInfo,
    }),
    z.transform(({ _embedded, page }) => ({ items: (_embedded?.[key] ?? []) as I[], page })),
  )

const Person = z.object({ type: Text, first: Text, last: Text, email: Text })
export type Person = z.infer<typeof Person>

const Customer = z.object({ company: lenient(z.string()), organization: lenient(z.string()) })
const CustomField = z.object({ id: Id, name: Text, value: lenient(z.union([z.string(), z.number()])), text: Text })

/** The fields of a conversation that are read. */
export const Conversation = z.object({
  id: Id,
  number: lenient(Count),
  /** Help Scout's number of threads. */
  threads: lenient(Count),
  type: Text,
  status: Text,
  state: Text,
  subject: Text,
  preview: Text,
  mailboxId: lenient(Id),
  createdAt: Time,
  userUpdatedAt: z.optional(z.nullable(Time)),
  customerWaitingSince: lenient(z.object({ time: Text })),
  tags: lenient(z.array(z.object({ tag: z.string() }))),
  primaryCustomer: lenient(Customer),
  customFields: lenient(z.array(CustomField)),
  _links: lenient(z.object({ web: lenient(z.object({ href: z.string() })) })),
})
export type Conversation = z.infer<typeof Conversation>
/** What of a conversation that cannot be parsed is enough to read it again. */
export const WithId = z.object({ id: Id })

/** A page of conversations; those that cannot be parsed are in `malformed`. */
export const Conversations = z.pipe(
  z.object({
    _embedded: z.optional(z.nullable(z.object({ conversations: z.optional(listed(Conversation)) }))),
    page: PageInfo,
  }),
  z.transform(({ _embedded, page }): { items: Conversation[]; malformed: Malformed[]; page: PageInfo } => {
    const { items, malformed } = _embedded?.conversations ?? { items: [], malformed: [] }
    return { items, malformed, page }
  }),
)

/** A part of a conversation: a message, a note or a change of its state. */
export const Thread = z.object({
  id: Id,
  type: z.string(),
  state: Text,
  body: Text,
  createdAt: Time,
  createdBy: lenient(Person),
  customer: lenient(Person),
  action: lenient(z.object({ type: Text, associatedEntities: lenient(z.record(z.string(), z.unknown())) })),
  _embedded: lenient(z.object({ attachments: lenient(z.array(z.object({ filename: Text }))) })),
})
export type Thread = z.infer<typeof Thread>
/** A page of the threads of a conversation. */
export const Threads = pageOf('threads', z.array(Thread))

/** A page of mailboxes. */
export const Mailboxes = pageOf('mailboxes', namesListed(z.object({ id: Id, name: z.string() })))

/** The reply of `users/me`: whose sign-in it is. */
export const User = z.object({ id: Id, firstName: Text, lastName: Text, email: Text, companyId: lenient(Id) })

/** A page of the webhooks of the account. */
export const Webhooks = pageOf(
  'webhooks',
  z.array(z.object({ id: Id, url: Text, events: lenient(z.array(z.string())), state: Text })),
)

/** The body of an event: a conversation, or after a deletion its id alone. */
export const ConversationEvent = z.object({ id: Id })
