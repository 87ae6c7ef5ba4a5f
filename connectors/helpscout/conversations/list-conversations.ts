import type * as z from 'zod/mini'
import type { Context } from '../../connector.ts'
import { call } from '../client.ts'
import { Conversations } from '../schema.ts'
import type { Selection } from '../selection.ts'

type Order = {
  /** Only those that changed since then, in epoch seconds. */
  since?: number
  sortOrder: 'asc' | 'desc'
  page: number
}

/** One page of the conversations of every status, by the time of their last change. */
export async function listConversations(
  context: Context,
  selection: Selection,
  { since, sortOrder, page }: Order,
): Promise<z.infer<typeof Conversations>> {
  const { data } = await call(context, {
    name: 'conversations',
    path: '/v2/conversations',
    query: {
      mailbox: selection.inbox,
      status: 'all',
      modifiedSince: since === undefined ? null : new Date(since * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
      sortField: 'modifiedAt',
      sortOrder,
      page,
    },
    schema: Conversations,
  })
  return data
}
