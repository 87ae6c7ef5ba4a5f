import type { Context, FeedbackItem } from '../connector.ts'
import { settingsOf } from './client.ts'
import { type Channel, type Person, personOf } from './directory.ts'
import { isGuid } from './manifest.ts'
import { fileNames, messageText } from './message-text.ts'
import type { From, Reply, Times } from './schema.ts'

/** Kinds of identity that belong to the tenant itself, where Graph does not name the tenant. */
const OWN_KINDS = new Set(['aadUser', 'onPremiseAadUser'])

/** What the external ids of a channel start with. */
export const prefixOf = (channel: string) => `${channel}:`

/** A post's permanent id: the same in a list, in a delta and in an event. */
export const rootId = (channel: string, root: string) => `${prefixOf(channel)}${root}`
/** The external id of a reply: `<channel>:<post>:<reply>`. */
export const replyId = (channel: string, root: string, reply: string) => `${rootId(channel, root)}:${reply}`

/** A post that merely left the view of a delta, whose reason is `changed`, was not deleted. */
export const isDeleted = (message: Reply) =>
  Boolean(message.deletedDateTime) || message['@removed']?.reason === 'deleted'

/** False for notices such as members joining, calls and renamed channels. */
export const isWritten = ({ messageType }: Pick<Reply, 'messageType'>) => (messageType ?? 'message') === 'message'

/** When a message was last touched, in epoch milliseconds; 0 without a time. */
export function touchedAt({
  createdDateTime,
  lastModifiedDateTime,
  lastEditedDateTime,
  deletedDateTime,
}: Times): number {
  const times = [createdDateTime, lastModifiedDateTime, lastEditedDateTime, deletedDateTime]
  return Math.max(0, ...times.map((time) => (time ? Date.parse(time) : 0)))
}

/** Where messages were posted: the channel, and for replies the root. */
type Posted = { channel: Channel; root: string | null; isShared: boolean }

/** Written messages as feedback; those without text are omitted. */
export async function toItems(context: Context, messages: readonly Reply[], posted: Posted): Promise<FeedbackItem[]> {
  const items: FeedbackItem[] = []
  for (const message of messages) {
    if (isDeleted(message) || !isWritten(message)) continue
    const item = toItem(message, posted)
    if (!item) continue
    items.push(posted.isShared ? { ...item, ...(await authorOf(context, message.from)) } : item)
  }
  return items
}

/** A message that consists of attachments only. */
export const hasFilesOnly = (message: Reply): boolean =>
  !isDeleted(message) && isWritten(message) && messageText(message) === '' && fileNames(message).length > 0

function toItem(message: Reply, { channel: { channel, name }, root }: Posted): FeedbackItem | null {
  const text = messageText(message)
  if (text === '' || !message.createdDateTime) return null
  const thread = rootId(channel, root ?? message.id)
  const attachments = fileNames(message)
  const { from, webUrl, lastEditedDateTime } = message
  return {
    externalId: root === null ? thread : replyId(channel, root, message.id),
    text,
    author: cleanName(from?.user?.displayName || from?.application?.displayName),
    at: new Date(message.createdDateTime),
    link: webUrl && URL.canParse(webUrl) && webUrl.startsWith('https://') ? webUrl : null,
    thread,
    place: name,
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(lastEditedDateTime ? { version: Date.parse(lastEditedDateTime) * 1000 } : {}),
  }
}

/**
 * Who writes in a channel that is shared with customers. Members of the own tenant, and apps, are agents; guests and people of other
 * tenants are customers.
 */
async function authorOf(context: Context, from: From | null | undefined): Promise<Pick<FeedbackItem, 'role'>> {
  const user = from?.user
  if (!user) return { role: from?.application ? 'agent' : 'customer' }
  const own = settingsOf(context).tenant_id
  const tenant = user.tenantId?.toLowerCase()
  if (tenant && tenant !== own) return { role: 'customer' }
  if (user.userIdentityType && !OWN_KINDS.has(user.userIdentityType)) return { role: 'customer' }
  const person: Person | null = isGuid(user.id?.toLowerCase() ?? '') ? await personOf(context, user.id ?? '') : null
  if (person) return { role: person.isGuest ? 'customer' : 'agent' }
  return { role: tenant === own || OWN_KINDS.has(user.userIdentityType ?? '') ? 'agent' : 'customer' }
}

const cleanName = (name: string | null | undefined) => name?.replaceAll('\0', '').toWellFormed().trim() || null
