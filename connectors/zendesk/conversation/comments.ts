import type { Context, FeedbackItem } from '../../connector.ts'
import { withPageSize } from '../../kit/page-size.ts'
import { call, PAGE_SIZES } from '../client.ts'
import type { WaitingTicket } from '../cursor.ts'
import { rememberPeople } from '../directory.ts'
import { externalId, hasFilesOnly, isPublic } from '../item.ts'
import { type Comment, CommentPage } from '../schema.ts'
import type { Agents } from './agents.ts'
import { readAudits } from './audits.ts'
import { isCall } from './voice.ts'
import { idsOf, wordsOf } from './words.ts'

/**
 * One page of the comments of a ticket. `ids` are the external ids of the public ones, `hidden` those of the others; `got` counts the
 * comments. `next` is null at the end. `pause`: seconds to wait before the next request.
 */
export type Comments = {
  items: FeedbackItem[]
  ids: string[]
  hidden: string[]
  /** External ids of public ones that consist of attachments only. */
  attachmentOnly: string[]
  got: number
  next: string | null
  pause: number | null
}

/** What precedes Zendesk's position, which has no colon: audits are being read, or earlier comments have a customer's words. */
const POSITION = /^(?:(audits|spoken):)?(.*)$/s

/**
 * One request for comments, and one for their authors where the response does not contain them; after the last comment of a conversation
 * without a customer's words, one for each page of its audits. `likely`: people needed next. `agents`: see `agents.ts`; null: not known,
 * so messages of people who may have been agents are left out.
 */
export async function readComments(
  context: Context,
  ticket: WaitingTicket,
  after: string | null,
  likely: readonly number[],
  agents: Agents | null,
): Promise<Comments> {
  const [, phase, position] = POSITION.exec(after ?? '') ?? []
  const at = position || null
  if (phase === 'audits') {
    const page = await readAudits(context, ticket, at)
    return { ...page, attachmentOnly: [], hidden: [], got: 0, next: page.next === null ? null : `audits:${page.next}` }
  }
  const { data, pause } = await withPageSize(PAGE_SIZES, (size) =>
    call(context, {
      name: 'ticket comments',
      path: `/api/v2/tickets/${ticket.id}/comments`,
      query: { 'page[size]': size, 'page[after]': at, include: 'users' },
      schema: CommentPage,
    }),
  )
  rememberPeople(context, data.users ?? [])
  const { items, ids } = await wordsOf(context, ticket, data.comments, likely, agents)
  const hasCustomer = phase === 'spoken' || items.some(({ role }) => role === 'customer')
  const more = data.meta?.has_more ? (data.meta.after_cursor ?? null) : null
  return {
    items,
    ids,
    attachmentOnly: idsOfFiles(ticket, data.comments),
    hidden: data.comments.filter((comment) => !isPublic(comment)).flatMap((comment) => idsOf(comment, ticket)),
    got: data.comments.length,
    next: nextOf(ticket, more, hasCustomer),
    pause,
  }
}

/** The recording of a call is no attachment. */
function idsOfFiles(ticket: WaitingTicket, comments: readonly Comment[]): string[] {
  return comments
    .filter((comment) => isPublic(comment) && !isCall(comment) && hasFilesOnly(comment))
    .map(({ id }) => externalId(ticket.id, id))
}

function nextOf({ messaging }: WaitingTicket, more: string | null, hasCustomer: boolean): string | null {
  if (!messaging) return more
  if (more === null) return hasCustomer ? null : 'audits:'
  return hasCustomer ? `spoken:${more}` : more
}
