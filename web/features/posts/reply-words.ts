import type { ReplyPlace } from '@groundswell/contract/posts.ts'
import { formatMoment } from '../../ui/text/moment.ts'

/** The first part of the key of queries of replies. */
export const REPLIES = 'replies'

/** A reply is on its way there. */
export function isOpen({ reply }: ReplyPlace): boolean {
  return reply?.state === 'waiting' || reply?.state === 'sending'
}

/** A reply was posted there, or may have been: another one needs a confirmation. */
export function isAnswered({ reply }: ReplyPlace): boolean {
  return reply?.state === 'sent' || reply?.state === 'uncertain'
}

/** Who asked in a conversation. */
export function peopleText({ people }: Pick<ReplyPlace, 'people'>): string {
  return people.map(({ name }) => name || 'Unknown author').join(', ')
}

/** The outcome of the reply there; null: there is none. */
export function replyText({ reply }: ReplyPlace): string | null {
  if (!reply) return null
  const reason = reply.error === null ? '' : `: ${reply.error}`
  switch (reply.state) {
    case 'waiting':
      return reply.error === null ? 'Being posted' : `Trying again${reason}`
    case 'sending':
      return 'Being posted'
    case 'sent':
      return `Replied by ${reply.by}, ${formatMoment(reply.at)}`
    case 'uncertain':
      return `Uncertain: posting was interrupted, so it may or may not be there. It is not posted again automatically`
    case 'refused':
    case 'nothing':
      return `Not posted${reason}`
  }
}
