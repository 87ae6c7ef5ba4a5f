import { createHash } from 'node:crypto'
import type { Context } from '../../connector.ts'
import { attributesOf } from '../attributes.ts'
import type { Waiting } from '../cursor.ts'
import { inboxNames } from '../directory.ts'
import type { Conversation } from '../schema.ts'

const SIGNATURE_LENGTH = 10

/** Conversations that are not in an inbox: deleted ones, drafts and spam. */
export const isAbsent = ({ state, status }: Conversation) =>
  state === 'deleted' || state === 'draft' || status === 'spam'

/** The time of its last change, in epoch milliseconds. */
export const changedAt = ({ userUpdatedAt, createdAt }: Conversation) => Date.parse(userUpdatedAt ?? createdAt)

/**
 * A hash of everything by which a change shows. The time alone is not enough: it stays the same when a customer writes twice in a row. Nothing of
 * the text can be recovered from it.
 */
export function signatureOf(conversation: Conversation): string {
  const { userUpdatedAt, threads, status, state, mailboxId, subject, preview, tags, customFields } = conversation
  const waiting = conversation.customerWaitingSince?.time
  const parts = [userUpdatedAt, threads, status, state, mailboxId, subject, preview, waiting, tags, customFields]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, SIGNATURE_LENGTH)
}

/** Conversations with what has to be known to read their threads. */
export async function waitingOf(context: Context, conversations: readonly Conversation[]): Promise<Waiting[]> {
  if (conversations.length === 0) return []
  const inboxes = await inboxNames(context)
  return conversations.map((conversation) => ({
    id: conversation.id,
    link: linkOf(conversation),
    count: conversation.threads ?? null,
    attributes: attributesOf(conversation, inboxes),
  }))
}

function linkOf({ id, number, _links }: Conversation): string {
  const href = _links?.web?.href ?? ''
  if (href.startsWith('https://') && URL.canParse(href)) return href
  return `https://secure.helpscout.net/conversation/${id}/${number ?? id}`
}
