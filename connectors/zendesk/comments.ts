import type { Context, FeedbackItem } from '../connector.ts'
import { withPageSize } from '../kit/page-size.ts'
import { call, PAGE_SIZES, settingsOf } from './client.ts'
import type { Waiting } from './cursor.ts'
import { peopleOf, rememberPeople } from './directory.ts'
import { externalId, isPublic, toItem } from './item.ts'
import { CommentPage } from './schema.ts'

/**
 * One page of a ticket's comments. `ids` are the external ids of all public ones, `hidden` of the others; `got` counts both. `next` is
 * null at the end. `pause`: seconds to wait before the next request.
 */
export type Comments = {
  items: FeedbackItem[]
  ids: string[]
  hidden: string[]
  got: number
  next: string | null
  pause: number | null
}

/** One request for comments, and one for their authors where the response does not contain them. `likely`: people needed next. */
export async function readComments(
  context: Context,
  ticket: Waiting,
  after: string | null,
  likely: readonly number[],
): Promise<Comments> {
  const { subdomain } = settingsOf(context)
  const { data, pause } = await withPageSize(PAGE_SIZES, (size) =>
    call(context, {
      name: 'ticket comments',
      path: `/api/v2/tickets/${ticket.id}/comments`,
      query: { 'page[size]': size, 'page[after]': after, include: 'users' },
      schema: CommentPage,
    }),
  )
  rememberPeople(context, data.users ?? [])
  const shown = data.comments.filter(isPublic)
  const authors = shown.flatMap(({ author_id }) => author_id ?? [])
  const people = await peopleOf(context, authors, likely)
  const id = (comment: { id: number }) => externalId(ticket.id, comment.id)
  return {
    items: shown.flatMap((comment) => toItem(comment, ticket, subdomain, people) ?? []),
    ids: shown.map(id),
    hidden: data.comments.filter((comment) => !isPublic(comment)).map(id),
    got: data.comments.length,
    next: data.meta?.has_more ? (data.meta.after_cursor ?? null) : null,
    pause,
  }
}
