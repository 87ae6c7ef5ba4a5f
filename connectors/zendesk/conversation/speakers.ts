import type { Context } from '../../connector.ts'
import type { WaitingTicket } from '../cursor.ts'
import { brandNames, hasAgentNamed, isAgent, type Person } from '../directory.ts'
import { nameKey } from './transcript.ts'

type Role = 'customer' | 'agent'

/** What Zendesk calls people who have not said their name. */
const ANONYMOUS = /^(?:visitor|(?:web|ios|android|unity|mobile) user)\b/i

/** The people of a ticket whose names are needed to tell who speaks in a transcript. */
export const participantsOf = ({ requester, assignee, ccs }: WaitingTicket): number[] => [
  ...(requester === null ? [] : [requester]),
  ...(assignee ? [assignee] : []),
  ...(ccs ?? []),
]

/**
 * Who speaks in the transcripts of a ticket, by the key of the name: its requester and others of the ticket, then the brands. A name that
 * none of them has is an agent's or a bot's, unless the customer has not been found: then it is the customer's if it is the only one
 * and no agent of the account has it. `isFormerAgent`: of a person who is none today.
 */
export async function speakersOf(
  context: Context,
  ticket: WaitingTicket,
  names: readonly string[],
  people: ReadonlyMap<number, Person>,
  isFormerAgent: (id: number) => boolean,
): Promise<ReadonlyMap<string, Role>> {
  const roles = new Map<string, Role>()
  const speakers = new Map(names.map((name) => [nameKey(name), name]))
  const assign = (name: string | null | undefined, role: Role) => {
    const key = nameKey(name ?? '')
    if (speakers.has(key) && !roles.has(key)) roles.set(key, role)
  }
  const requester = people.get(ticket.requester ?? -1)
  if (!isAgent(requester)) assign(requester?.name, 'customer')
  // The subject of such a ticket is "Conversation with …" in the account's language.
  const subject = nameKey(ticket.attributes.subject ?? '')
  for (const id of participantsOf(ticket)) {
    const person = people.get(id)
    const isOurs = isAgent(person) || id === ticket.assignee || isFormerAgent(id)
    for (const name of [person?.name, person?.alias]) assign(name, isOurs ? 'agent' : 'customer')
  }
  for (const [key, name] of speakers) {
    if (subject.endsWith(` ${key}`) || ANONYMOUS.test(name)) assign(name, 'customer')
  }
  const unknown = () => [...speakers].filter(([key]) => !roles.has(key)).map(([, name]) => name)
  if (unknown().length === 0) return roles
  const brands = (await brandNames(context)).map(nameKey).filter(Boolean)
  for (const name of unknown()) {
    if (brands.some((brand) => `${nameKey(name)} `.startsWith(`${brand} `))) assign(name, 'agent')
  }
  const isFound = [...roles.values()].includes('customer')
  if (!isFound) for (const name of unknown()) if (await hasAgentNamed(context, name)) assign(name, 'agent')
  const left = unknown()
  for (const name of left) assign(name, !isFound && left.length === 1 ? 'customer' : 'agent')
  return roles
}
