import type { Context } from '../../connector.ts'
import { call, HelpScoutRefusal } from '../client.ts'
import { Conversation } from '../schema.ts'

/** `conversation` is null where it is not found; `movedTo` is the one it was merged into. */
type FoundConversation = { conversation: Conversation | null; movedTo: number | null }

/** Requests one conversation. Merged and deleted ones are no failure. */
export async function findConversation(context: Context, id: number): Promise<FoundConversation> {
  try {
    const { data } = await call(context, {
      name: 'conversation',
      path: `/v2/conversations/${id}`,
      schema: Conversation,
    })
    return { conversation: data, movedTo: null }
  } catch (error) {
    if (!(error instanceof HelpScoutRefusal) || ![301, 404, 410].includes(error.status)) throw error
    return { conversation: null, movedTo: error.movedTo }
  }
}
