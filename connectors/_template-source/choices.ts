import type { Choice, Context } from '../connector.ts'
import { call } from './client.ts'
import { Inboxes } from './schema.ts'

export async function choices(context: Context): Promise<Choice[]> {
  const { inboxes } = await call(context, { name: 'inboxes.list', path: '/inboxes', schema: Inboxes })
  const options = inboxes.map(({ id, name }) => ({ value: id, label: name }))
  return [{ field: 'inboxes', label: 'Inboxes', help: 'Without a choice, every inbox is read.', options }]
}
