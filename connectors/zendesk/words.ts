import type { Context, FeedbackItem } from '../connector.ts'
import { type Agents, noteAgentUntil, noteRole } from './agents.ts'
import { settingsOf } from './client.ts'
import type { Waiting } from './cursor.ts'
import { type Person, peopleOf } from './directory.ts'
import { externalId, isPublic, itemOf, toItem } from './item.ts'
import type { Comment } from './schema.ts'
import { isCall, voicemailText } from './voice.ts'

/** What was said in comments, and the external ids of all that is public. `agents`: as of `readComments`. */
export async function wordsOf(
  context: Context,
  ticket: Waiting,
  comments: readonly Comment[],
  likely: readonly number[],
  agents: Agents | null,
): Promise<{ items: FeedbackItem[]; ids: string[] }> {
  const shown = comments.filter(isPublic)
  const authors = shown.flatMap(({ author_id }) => author_id ?? [])
  const callers = shown.some(isCall) ? [ticket.requester ?? -1] : []
  const people = await peopleOf(context, [...authors, ...callers], likely)
  if (agents) learn(context, agents, comments, people)
  const requester = people.get(ticket.requester ?? -1)?.name ?? null
  const { subdomain } = settingsOf(context)
  const items: FeedbackItem[] = []
  const ids: string[] = []
  for (const comment of shown) {
    if (isCall(comment)) {
      const said = voicemail(comment, ticket, subdomain, requester)
      items.push(...said)
      ids.push(...said.map((item) => item.externalId))
      continue
    }
    ids.push(externalId(ticket.id, comment.id))
    if (!agents && isUnsure(comment, ticket, people)) continue
    const item = toItem(comment, ticket, subdomain, people, agents ?? {})
    if (item) items.push(item)
  }
  return { items, ids }
}

function voicemail(comment: Comment, ticket: Waiting, subdomain: string, caller: string | null): FeedbackItem[] {
  const text = voicemailText(comment)
  if (text === null) return []
  const at = new Date(comment.created_at)
  const words = { externalId: externalId(ticket.id, comment.id), text, author: caller, role: 'customer', at } as const
  return [itemOf(words, ticket, subdomain)]
}

/** An end user in somebody else's ticket may be a former agent. */
function isUnsure({ author_id }: Comment, ticket: Waiting, people: ReadonlyMap<number, Person>): boolean {
  const isOther = author_id !== ticket.requester && author_id !== ticket.assignee
  return isOther && people.get(author_id ?? -1)?.role === 'end-user'
}

/** Only agents write internal notes in Zendesk itself; mails of others can become private, too. */
function learn(
  context: Context,
  agents: Agents,
  comments: readonly Comment[],
  people: ReadonlyMap<number, Person>,
): void {
  const now = Math.floor(context.now().getTime() / 1000)
  for (const { author_id, public: isShown, via, created_at } of comments) {
    const person = author_id ? people.get(author_id) : undefined
    if (!author_id || author_id < 0) continue
    if (person) noteRole(agents, author_id, person, now)
    if (isShown === false && via?.channel === 'web') {
      noteAgentUntil(agents, author_id, Math.floor(Date.parse(created_at) / 1000))
    }
  }
}
