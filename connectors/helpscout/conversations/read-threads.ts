import type { Context, FeedbackItem } from '../../connector.ts'
import { call } from '../client.ts'
import type { Waiting } from '../cursor.ts'
import { externalId, hasFilesOnly, isMessage, threadOf, toItem } from '../item.ts'
import { type PageInfo, type Thread, Threads } from '../schema.ts'
import { fullPage } from './full-page.ts'

/**
 * One page of a conversation's threads. `shown` are the ids of its messages, `hidden` of the others, without those in `known`. `merged`:
 * conversations that were merged into this one.
 */
export type ThreadPage = {
  items: FeedbackItem[]
  shown: number[]
  hidden: number[]
  merged: string[]
  /** External ids of messages that consist of attachments only. */
  attachmentOnly: string[]
  page: PageInfo
}

/** Threads are always requested as a list: a conversation with embedded threads does not have all of them. */
export async function readThreads(
  context: Context,
  conversation: Waiting,
  number: number,
  known: ReadonlySet<number>,
): Promise<ThreadPage> {
  const request = async (page: number) =>
    (
      await call(context, {
        name: 'conversation threads',
        path: `/v2/conversations/${conversation.id}/threads`,
        query: { page },
        schema: Threads,
      })
    ).data
  const { items, page } = await fullPage(request, number, number === 1 && (conversation.count ?? 0) > 0)
  // A thread may be listed on two pages, when a new one was added at the front meanwhile.
  const fresh = [...new Map(items.map((thread) => [thread.id, thread])).values()].filter(({ id }) => !known.has(id))
  // Help Scout lists the newest first.
  const messages = fresh
    .filter(isMessage)
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id)
  return {
    items: messages.flatMap((thread) => toItem(thread, conversation) ?? []),
    shown: messages.map(({ id }) => id),
    attachmentOnly: messages.filter(hasFilesOnly).map(({ id }) => externalId(conversation.id, id)),
    hidden: fresh.filter((thread) => !isMessage(thread)).map(({ id }) => id),
    merged: items.flatMap((thread) => mergedBy(thread, conversation.id)),
    page,
  }
}

/** The line item of a merge names the conversation that is no longer there. */
function mergedBy({ type, action }: Thread, into: number): string[] {
  if (type !== 'lineitem' || action?.type !== 'merged') return []
  return Object.entries(action.associatedEntities ?? {}).flatMap(([name, id]) =>
    /conversation/i.test(name) && Number.isSafeInteger(Number(id)) && Number(id) > 0 && Number(id) !== into
      ? [threadOf(Number(id))]
      : [],
  )
}
