import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { settingsOf } from './client.ts'
import { isAbsent, waitingOf } from './conversations/conversation.ts'
import { findConversation } from './conversations/find-conversation.ts'
import { readThreads } from './conversations/read-threads.ts'
import { threadOf } from './item.ts'
import type { Conversation } from './schema.ts'
import { selectionOf } from './selection.ts'

const Payload = z.object({ type: z.string(), conversation: z.int().check(z.positive()) })
/** After these, a conversation that is not found was deleted. After any other it may just not be readable yet. */
const DELETIONS = new Set(['convo.deleted', 'convo.merged'])
/** 5,000 threads. */
const MAX_PAGES = 100

/**
 * Reads the conversation of an event again: Help Scout does not guarantee their order; a fresh read returns the newest state. A
 * thread that was hidden is removed by the next sync, because the deletion by an event is final and it may be shown again.
 */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const parsed = Payload.safeParse(payload)
  if (!parsed.success) throw new Rejected('An event from Help Scout does not match Help Scout’s documentation')
  const { type, conversation: id } = parsed.data
  const first = await findConversation(context, id)
  if (first.movedTo === null || first.movedTo === id) return await read(context, type, id, first.conversation)
  // It was merged into another one, which has its messages now.
  const { conversation } = await findConversation(context, first.movedTo)
  const outcome = await read(context, 'convo.moved', first.movedTo, conversation)
  return { ...outcome, deletedThreads: [...new Set([threadOf(id), ...(outcome.deletedThreads ?? [])])] }
}

async function read(
  context: Context,
  type: string,
  id: number,
  conversation: Conversation | null,
): Promise<EventOutcome> {
  const outcome: EventOutcome = { items: [], deleted: [], ended: null }
  const isGone = conversation === null ? DELETIONS.has(type) : isAbsent(conversation)
  if (isGone) return { ...outcome, deletedThreads: [threadOf(id)] }
  if (conversation === null || !selectionOf(settingsOf(context), context.now()).includes(conversation)) return outcome
  const [waiting] = await waitingOf(context, [conversation])
  if (!waiting) return outcome
  const known = new Set<number>()
  const merged = new Set<string>()
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const found = await readThreads(context, waiting, number, known)
    outcome.items.push(...found.items)
    for (const thread of [...found.shown, ...found.hidden]) known.add(thread)
    for (const thread of found.merged) merged.add(thread)
    if (number >= found.page.totalPages) break
  }
  return merged.size > 0 ? { ...outcome, deletedThreads: [...merged] } : outcome
}
