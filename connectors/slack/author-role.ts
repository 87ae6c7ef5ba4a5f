import type { Context, FeedbackItem } from '../connector.ts'
import { peopleOf } from './directory.ts'
import type { SlackSettings } from './manifest.ts'
import type { Message } from './schema.ts'

type Role = Pick<FeedbackItem, 'role'>

/**
 * Who writes in a channel that is shared with customers: members of the own workspace, and apps, are agents; guests and people of other
 * workspaces are customers. In all other channels everyone is a customer, and nobody is looked up.
 */
export async function rolesOf(
  context: Context,
  settings: SlackSettings,
  channel: string,
  messages: readonly Message[],
  list: boolean,
): Promise<(message: Message) => Role> {
  const { team_id: own, shared_channels } = settings
  if (!shared_channels?.includes(channel)) return () => ({})
  const unclear = messages.flatMap((message) => (message.user && !isForeign(message, own) ? [message.user] : []))
  const people = await peopleOf(context, own, new Set(unclear), list)
  return (message) => {
    if (!message.user) return { role: 'agent' }
    if (isForeign(message, own)) return { role: 'customer' }
    const { isAgent = null } = people.get(message.user) ?? {}
    return { role: (isAgent ?? (message.bot_id || teamOf(message) === own)) ? 'agent' : 'customer' }
  }
}

const teamOf = ({ user_team, team }: Message) => user_team || team || null

/** The message itself names another workspace. An id with E is of a whole organisation, which does not tell. */
function isForeign(message: Message, own: string): boolean {
  const team = teamOf(message)
  return team !== null && team !== own && team.startsWith('T')
}
