import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { settingsOf } from './client.ts'
import { messagesOf } from './item.ts'
import { retrieve, unlessTooLong } from './read-conversation.ts'
import { ConversationId } from './schema.ts'
import { selectionOf } from './selection.ts'

const Payload = z.object({ topic: z.string(), conversation: ConversationId })

/**
 * Reads the conversation of an event again: Intercom does not guarantee their order; a fresh read returns the newest state. A
 * deletion is final at Intercom, so it needs no reading.
 */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const parsed = Payload.safeParse(payload)
  if (!parsed.success) throw new Rejected('An event from Intercom does not match Intercom’s documentation')
  const { topic, conversation: id } = parsed.data
  const outcome: EventOutcome = { items: [], deleted: [], ended: null }
  if (topic === 'conversation.deleted') return { ...outcome, deletedThreads: [id] }
  const reply = await unlessTooLong(retrieve(context, id))
  // A sync says which one is too large.
  if (reply === null || reply === 'too long') return outcome
  const settings = settingsOf(context)
  const selection = selectionOf(settings, context.now())
  if (!selection.includes(reply.data)) return outcome
  const { items, deleted } = messagesOf(reply.data, settings, selection)
  return { ...outcome, items, deleted }
}
