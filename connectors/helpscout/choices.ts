import type { Choice, Context } from '../connector.ts'
import { listAll } from './lists.ts'
import { Mailboxes } from './schema.ts'

/** Which conversations to read. Nothing is required: by default these are all that changed in the last 12 months. */
export async function choices(context: Context): Promise<Choice[]> {
  const inboxes = await listAll(context, 'mailboxes', Mailboxes)
  return [
    {
      field: 'start_date',
      label: 'Start date',
      help: 'Conversations that changed since then are read as a whole. Without a date: the last 12 months.',
      kind: 'date',
      single: true,
      options: [],
    },
    {
      field: 'inboxes',
      label: 'Inboxes',
      help: 'Without a choice, conversations of every inbox are read.',
      options: inboxes
        .map(({ id, name }) => ({ value: String(id), label: name }))
        .toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
    },
    {
      field: 'tags',
      label: 'Tags to read',
      help: 'Only conversations with one of these tags are read. Separate tags with commas.',
      kind: 'text',
      options: [],
    },
    {
      field: 'skip_tags',
      label: 'Tags to leave out',
      help: 'Conversations with one of these tags are not read. Separate tags with commas.',
      kind: 'text',
      options: [],
    },
  ]
}
