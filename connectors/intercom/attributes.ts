import { htmlText } from '../kit/text/html-text.ts'
import type { Conversation } from './schema.ts'
import { FORM_FIELDS, ticketTitle } from './ticket.ts'

/** Longer values are cut, and a conversation has at most this many attributes: they are stored with every message of it. */
const MAX_LENGTH = 300
const MAX_ATTRIBUTES = 40

/** What Intercom knows about a conversation: subject, title, company, status, channel, tags, topics, and custom attributes. */
export function attributesOf(conversation: Conversation): Record<string, string> {
  const { source, company, state, tags, topics, title } = conversation
  const names = (list: readonly { name?: string | null | undefined }[] | null | undefined) =>
    (list ?? []).flatMap(({ name }) => name || []).join(', ')
  const own: [string, string | null | undefined][] = [
    ['subject', htmlText(source?.subject ?? '').text],
    ['title', title || ticketTitle(conversation)],
    ['company', company?.name],
    ['status', state],
    ['channel', source?.type],
    ['tags', names(tags?.tags)],
    ['topics', names(topics?.topics)],
  ]
  // A custom attribute never replaces one of the others.
  const taken = new Set(own.map(([name]) => name))
  const custom = Object.entries(conversation.custom_attributes ?? {}).flatMap(([name, value]): [string, string][] => {
    const title = clean(name)
    return isFilled(value) && title !== '' && !taken.has(title) && !FORM_FIELDS.has(title)
      ? [[title, String(value)]]
      : []
  })
  const all = [...own, ...custom].map(([name, value]): [string, string] => [name, clean(value ?? '')])
  return Object.fromEntries(all.filter(([, value]) => value !== '').slice(0, MAX_ATTRIBUTES))
}

/** Objects that a custom attribute refers to are not read. A box that is not ticked has no value. */
const isFilled = (value: unknown): value is string | number | true =>
  typeof value === 'string' || typeof value === 'number' || value === true

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed().trim()
