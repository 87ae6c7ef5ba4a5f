import type { Conversation } from './schema.ts'

/** Longer values are cut, and a conversation has at most this many attributes: they are stored with every message of it. */
const MAX_LENGTH = 300
const MAX_ATTRIBUTES = 40

/** What Help Scout knows about a conversation: subject, inbox, status, channel, tags, company, and custom fields by their names. */
export function attributesOf(conversation: Conversation, inboxes: ReadonlyMap<number, string>): Record<string, string> {
  const { subject, mailboxId, status, type, tags, primaryCustomer, customFields } = conversation
  const own: [string, string | null | undefined][] = [
    ['subject', subject],
    ['inbox', inboxes.get(mailboxId ?? 0)],
    ['organisation', primaryCustomer?.organization || primaryCustomer?.company],
    ['status', status],
    ['channel', type],
    ['tags', tags?.map(({ tag }) => tag).join(', ')],
  ]
  // A drop-down has the id of its option as value, and the option's name as text.
  const custom = (customFields ?? []).map(({ id, name, value, text }): [string, string] => [
    clean(name ?? '') || `Field ${id}`,
    text || String(value ?? ''),
  ])
  // A custom field never replaces one of the others.
  const taken = new Set(own.map(([name]) => name))
  const all = [...own, ...custom.filter(([name]) => !taken.has(name))]
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value?.trim() ? [[name, clean(value)]] : [])).slice(0, MAX_ATTRIBUTES),
  )
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed().trim()
