import * as z from 'zod/mini'
import { route } from '../route.ts'
import { isBlank } from '../values/blank-text.ts'
import { Link } from '../values/link.ts'
import { noControls } from '../values/name.ts'

const text = (most: number) =>
  z.string('must be text').check(
    z.refine((value) => !isBlank(value), 'must not be empty'),
    z.maxLength(most, `must have at most ${most} characters`),
  )

/** Many products number their messages. Beyond 2^53 a number arrives as text already (`long-integers.ts`). */
const Id = z.union([text(200), z.int('must be text or an integer')], 'must be text or an integer')

const years = { first: 1970, last: 2999 }

const When = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be a date such as 2026-05-31 or 2026-05-31T09:30:00Z')
  .check(
    z.refine((value) => {
      const year = new Date(value).getUTCFullYear()
      return year >= years.first && year <= years.last
    }, `must be in the years ${years.first} to ${years.last}`),
  )

const MAX_ATTRIBUTES = 50
const [MAX_NAME, MAX_VALUE] = [100, 1_000]

const fields = {
  id: Id,
  text: text(100_000),
  content_type: z.optional(z.enum(['text/plain', 'text/html'], 'must be text/plain or text/html')),
  author: z.optional(z.nullable(text(500).check(noControls()))),
  date: z.optional(z.nullable(When)),
  link: z.optional(z.nullable(Link)),
  place: z.optional(z.nullable(text(200).check(noControls()))),
  attributes: z.optional(
    z
      .record(
        text(MAX_NAME),
        z.string('must be text').check(z.maxLength(MAX_VALUE, `must have at most ${MAX_VALUE} characters`)),
      )
      .check(
        z.refine(
          (values) => Object.keys(values).length <= MAX_ATTRIBUTES,
          `must have at most ${MAX_ATTRIBUTES} entries`,
        ),
      ),
  ),
}

/** Whether the `date` of an item is a day without a time. */
export const isDay = (date: string): boolean => z.iso.date().safeParse(date).success

/** The fields of an item that have no meaning of their own, such as `rating`, as attributes; null counts as left out. */
export function otherFields(item: Readonly<Record<string, unknown>>): Record<string, string> {
  const others = Object.entries(item).filter(
    ([name, value]) => !Object.hasOwn(fields, name) && value !== null && value !== undefined,
  )
  return Object.fromEntries(others.map(([name, value]) => [name, String(value)]))
}

function problemOf(name: string, value: unknown, attributes: Readonly<Record<string, string>>): string | null {
  if (typeof value === 'object') return 'must be text, a number, true or false, as it is no field of a message'
  if (typeof value === 'string' && value.length > MAX_VALUE) return `must have at most ${MAX_VALUE} characters`
  if (isBlank(name) || name.length > MAX_NAME) return `must have a name of 1 to ${MAX_NAME} characters`
  return Object.hasOwn(attributes, name) ? 'must not be in attributes as well' : null
}

/**
 * One message. `id`: what the sender calls it, text or an integer; sent again, it is the same message. `date`: when it was said, a day
 * or a moment; omitted: when it is stored first. `content_type`: what the text is written in; of HTML, what its reader saw is stored; omitted: text that is
 * marked up as mails are is HTML. `place`: where in the sender's product, such as a channel. `attributes`: anything else that is known
 * about it. Fields of other names, such as `rating`, are attributes too.
 */
export const SentItem = z.looseObject(fields).check(({ value, issues }) => {
  const attributes = value.attributes ?? {}
  const others = otherFields(value)
  for (const name of Object.keys(others)) {
    const message = problemOf(name, value[name], attributes)
    if (message !== null) issues.push({ code: 'custom', input: value[name], path: [name], message })
  }
  if (Object.keys(attributes).length + Object.keys(others).length > MAX_ATTRIBUTES) {
    const message = `must have at most ${MAX_ATTRIBUTES} entries, with the fields that become attributes`
    issues.push({ code: 'custom', input: value, path: ['attributes'], message })
  }
})
export type SentItem = z.infer<typeof SentItem>

/**
 * All items are stored, or none. Each is identified by its `id` in the workspace: an unchanged one does nothing, one with another text is
 * edited, and if several have the same id, the last counts. `accepted`: new ones; `changed`: those with another text; `unchanged`: the others,
 * also those that are older than feedback is kept or whose author was erased. Once answered they are stored; grouping follows.
 */
export const sendFeedback = route({
  name: 'sendFeedback',
  summary: 'Send 1 to 1,000 messages, which belong to a separate source',
  method: 'POST',
  path: '/api/feedback',
  access: 'member',
  scope: 'feedback:write',
  bodyLimit: 10 * 1024 * 1024,
  audit: { action: 'feedback.sent' },
  body: z.object({
    items: z
      .array(SentItem, 'must be a list of items')
      .check(z.minLength(1, 'must have at least one item'), z.maxLength(1_000, 'must have at most 1000 items')),
  }),
  reply: z.object({ accepted: z.int(), changed: z.int(), unchanged: z.int() }),
  errors: ['invalid_input'],
  example: () => ({ body: { items: [{ id: '1', text: 'The export fails' }] } }),
})
