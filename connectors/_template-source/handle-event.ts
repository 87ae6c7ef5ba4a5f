import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { changesOf, chosenInboxes } from './item.ts'
import { Message } from './schema.ts'

const Payload = z.object({ type: z.string(), message: z.nullable(z.string()) })

/** Reads the message of an event again: events arrive late and out of order; a fresh read returns the newest state. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const parsed = Payload.safeParse(payload)
  if (!parsed.success) throw new Rejected('The event from the help desk could not be read')
  const { type, message: id } = parsed.data
  const nothing = { items: [], deleted: [], ended: null }
  if (type === 'app.removed') return { ...nothing, ended: 'The app was removed from the help desk. Connect again' }
  if (id === null) return nothing
  const path = `/messages/${encodeURIComponent(id)}`
  const message = await call(context, { name: 'messages.get', path, schema: Message })
  const inboxes = chosenInboxes(context)
  const isRead = message.deleted || inboxes.length === 0 || inboxes.includes(message.inbox)
  return isRead ? { ...changesOf([message]), ended: null } : nothing
}
