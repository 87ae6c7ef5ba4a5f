import type { Context, FeedbackItem } from '../connector.ts'
import { withPageSize } from '../kit/page-size.ts'
import type { Agents } from './agents.ts'
import { call, PAGE_SIZES } from './client.ts'
import type { Waiting } from './cursor.ts'
import { rememberPeople } from './directory.ts'
import { externalId, isPublic } from './item.ts'
import { CommentPage } from './schema.ts'
import { wordsOf } from './words.ts'

/**
 * One page of what was said in a ticket. `ids` are the external ids of all that is public, `hidden` of other comments; `got` counts the
 * comments. `next` is null at the end. `pause`: seconds to wait before the next request.
 */
export type Comments = {
  items: FeedbackItem[]
  ids: string[]
  hidden: string[]
  got: number
  next: string | null
  pause: number | null
}

/**
 * One request for comments, and one for their authors where the response does not contain them. `likely`: people needed next. `agents`: see
 * `agents.ts`; null: not known, so the words of whoever may have been one are left out.
 */
export async function readComments(
  context: Context,
  ticket: Waiting,
  after: string | null,
  likely: readonly number[],
  agents: Agents | null,
): Promise<Comments> {
  const { data, pause } = await withPageSize(PAGE_SIZES, (size) =>
    call(context, {
      name: 'ticket comments',
      path: `/api/v2/tickets/${ticket.id}/comments`,
      query: { 'page[size]': size, 'page[after]': after, include: 'users' },
      schema: CommentPage,
    }),
  )
  rememberPeople(context, data.users ?? [])
  const { items, ids } = await wordsOf(context, ticket, data.comments, likely, agents)
  return {
    items,
    ids,
    hidden: data.comments.filter((comment) => !isPublic(comment)).map(({ id }) => externalId(ticket.id, id)),
    got: data.comments.length,
    next: data.meta?.has_more ? (data.meta.after_cursor ?? null) : null,
    pause,
  }
}
