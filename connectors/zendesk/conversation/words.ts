import type { Context, FeedbackItem } from '../../connector.ts'
import { settingsOf } from '../client.ts'
import type { WaitingTicket } from '../cursor.ts'
import { type Person, peopleOf } from '../directory.ts'
import { externalId, isPublic, itemOf, toItem } from '../item.ts'
import type { Comment } from '../schema.ts'
import { type Agents, noteAgentUntil, noteRole, wasAgent } from './agents.ts'
import { participantsOf, speakersOf } from './speakers.ts'
import { type Line, nameKey, timesOf, transcriptOf } from './transcript.ts'
import { isCall, voicemailText } from './voice.ts'

/** The messages of comments, and the external ids of all that is public. `agents`: as of `readComments`. */
export async function wordsOf(
  context: Context,
  ticket: WaitingTicket,
  comments: readonly Comment[],
  likely: readonly number[],
  agents: Agents | null,
): Promise<{ items: FeedbackItem[]; ids: string[] }> {
  const shown = comments.filter(isPublic)
  const hasOthers = ticket.messaging || shown.some((one) => isCall(one) || (one.author_id ?? -1) <= 0)
  const authors = shown.flatMap(({ author_id }) => author_id ?? [])
  const people = await peopleOf(context, hasOthers ? [...authors, ...participantsOf(ticket)] : authors, likely)
  if (agents) learn(context, agents, { comments, people, requester: ticket.requester })
  const requester = people.get(ticket.requester ?? -1)?.name ?? null
  const transcripts = new Map<Comment, Line[]>()
  for (const comment of shown) {
    const lines = isCall(comment) ? null : transcriptOf(comment, ticket.messaging === true, requester)
    if (lines) transcripts.set(comment, lines)
  }
  const roles = await rolesIn(context, ticket, [...transcripts.values()].flat(), people, agents ?? {})
  const { subdomain } = settingsOf(context)
  const items: FeedbackItem[] = []
  const ids: string[] = []
  for (const comment of shown) {
    const lines = transcripts.get(comment)
    if (lines || isCall(comment)) {
      const added = lines
        ? messages(comment, lines, ticket, subdomain, roles)
        : voicemail(comment, ticket, subdomain, requester)
      items.push(...added)
      ids.push(...added.map((item) => item.externalId))
      continue
    }
    ids.push(externalId(ticket.id, comment.id))
    if (!agents && isUnsure(comment, ticket, people)) continue
    const item = toItem(comment, ticket, subdomain, people, agents ?? {})
    if (item) items.push(item)
  }
  return { items, ids }
}

/** Every external id that something in a comment may have. */
export function idsOf(comment: Comment, ticket: WaitingTicket): string[] {
  const lines = transcriptOf(comment, true, null) ?? []
  return [externalId(ticket.id, comment.id), ...lines.map((_, part) => externalId(ticket.id, comment.id, part))]
}

async function rolesIn(
  context: Context,
  ticket: WaitingTicket,
  lines: readonly Line[],
  people: ReadonlyMap<number, Person>,
  agents: Agents,
): Promise<ReadonlyMap<string, 'customer' | 'agent'>> {
  if (lines.length === 0) return new Map()
  const names = lines.map(({ speaker }) => speaker)
  return await speakersOf(context, ticket, names, people, (id) => wasAgent(agents, id, ticket.updated))
}

function messages(
  comment: Comment,
  lines: readonly Line[],
  ticket: WaitingTicket,
  subdomain: string,
  roles: ReadonlyMap<string, 'customer' | 'agent'>,
): FeedbackItem[] {
  const created = new Date(comment.created_at)
  const times = timesOf(lines, created)
  return lines.map(({ speaker, text }, part) => {
    const role = roles.get(nameKey(speaker)) ?? 'agent'
    const id = externalId(ticket.id, comment.id, part)
    return itemOf({ externalId: id, text, author: speaker, role, at: times[part] ?? created }, ticket, subdomain)
  })
}

function voicemail(comment: Comment, ticket: WaitingTicket, subdomain: string, caller: string | null): FeedbackItem[] {
  const text = voicemailText(comment)
  if (text === null) return []
  const at = new Date(comment.created_at)
  const words = { externalId: externalId(ticket.id, comment.id), text, author: caller, role: 'customer', at } as const
  return [itemOf(words, ticket, subdomain)]
}

/** An end user in somebody else's ticket may be a former agent. */
function isUnsure({ author_id }: Comment, ticket: WaitingTicket, people: ReadonlyMap<number, Person>): boolean {
  const isOther = author_id !== ticket.requester && author_id !== ticket.assignee
  return isOther && people.get(author_id ?? -1)?.role === 'end-user'
}

type Heard = { comments: readonly Comment[]; people: ReadonlyMap<number, Person>; requester: number | null }

/**
 * Only agents write internal notes in Zendesk itself; mails of others can become private, too, and so can what the customer wrote in the form of the
 * Help Center, which has the same channel.
 */
function learn(context: Context, agents: Agents, { comments, people, requester }: Heard): void {
  const now = Math.floor(context.now().getTime() / 1000)
  for (const { author_id, public: isShown, via, created_at } of comments) {
    const person = author_id ? people.get(author_id) : undefined
    if (!author_id || author_id < 0) continue
    if (person) noteRole(agents, author_id, person, now)
    const isCustomer = author_id === requester && (person?.role ?? 'end-user') === 'end-user'
    if (isShown === false && via?.channel === 'web' && !isCustomer) {
      noteAgentUntil(agents, author_id, Math.floor(Date.parse(created_at) / 1000))
    }
  }
}
