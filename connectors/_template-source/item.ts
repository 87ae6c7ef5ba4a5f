import type { Context, FeedbackItem } from '../connector.ts'
import { Settings } from './manifest.ts'
import type { Message } from './schema.ts'

/** The chosen inboxes in a fixed order; none means all. */
export const chosenInboxes = ({ settings }: Pick<Context, 'settings'>): string[] =>
  (Settings.safeParse(settings).data?.inboxes ?? []).toSorted()

/**
 * Messages as feedback, and the ids of deleted ones. An author who is not known to be a customer counts as an agent: context, never a
 * mention. Only an edited message has a version, the time of the edit.
 */
export function changesOf(messages: readonly Message[]): { items: FeedbackItem[]; deleted: string[] } {
  const items: FeedbackItem[] = []
  const deleted: string[] = []
  for (const message of messages) {
    if (message.deleted) deleted.push(message.id)
    else if (message.body.trim() !== '') items.push(itemOf(message))
  }
  return { items, deleted }
}

function itemOf(message: Extract<Message, { deleted: false }>): FeedbackItem {
  const { id, conversation, inbox, author, body, created_at, updated_at, url } = message
  const [created, updated] = [Date.parse(created_at), Date.parse(updated_at)]
  return {
    externalId: id,
    text: body.trim(),
    author: author.name,
    at: new Date(created),
    link: url,
    thread: conversation,
    place: inbox,
    role: author.kind === 'customer' ? 'customer' : 'agent',
    ...(updated > created ? { version: updated * 1000 } : {}),
  }
}
