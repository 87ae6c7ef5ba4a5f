import type { Context } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { mismatch } from '../kit/http/json-call.ts'
import { acceptWithout, type SetAside, type Unread } from '../kit/set-aside.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, settingsOf } from './client.ts'
import type { Channel, Team } from './directory.ts'
import { rootId } from './item.ts'
import { Message, type MessageList, WithId } from './schema.ts'

const ADDRESS = 'https://teams.microsoft.com/l'

/** A team whose channels could not be listed. Microsoft's links to a team contain the id of a channel. */
export const unreadTeam = ({ id, name }: Team): Unread => ({ id, noun: 'team', label: name, link: null })

/** A channel whose posts could not be read. */
export function unreadChannel(context: Context, { key, team, channel, name }: Channel): Unread {
  const query = new URLSearchParams({ groupId: team, tenantId: settingsOf(context).tenant_id ?? '' })
  return {
    id: key,
    noun: 'channel',
    label: name,
    link: `${ADDRESS}/channel/${encodeURIComponent(channel)}/-?${String(query)}`,
  }
}

/** A post that could not be read, or its replies; with `root` null, one that Graph listed without its id. */
export function unreadPost(context: Context, { team, channel, name }: Channel, root: string | null): Unread {
  if (root === null) return { id: rootId(channel, ''), noun: 'post', label: name, link: null, again: false }
  const query = new URLSearchParams({ groupId: team, tenantId: settingsOf(context).tenant_id ?? '' })
  const link = `${ADDRESS}/message/${encodeURIComponent(channel)}/${encodeURIComponent(root)}?${String(query)}`
  return { id: rootId(channel, root), noun: 'post', label: name, link }
}

/** Accepts a page without the posts that could not be parsed, once they have failed often enough. */
export function acceptPosts(context: Context, aside: SetAside, channel: Channel, { items, malformed }: MessageList) {
  const unread = malformed.map(({ value }) => unreadPost(context, channel, WithId.safeParse(value).data?.id ?? null))
  const message = mismatch('Microsoft Teams', 'GET channel messages', `value.${malformed[0]?.at}`)
  acceptWithout(aside, unread, { message, read: items.length, now: context.now() })
}

/** Requests a post that was set aside, as it is now. */
export async function readPost(context: Context, channel: Channel, root: string): Promise<Message> {
  const path = channelPath(channel, `/messages/${encodeURIComponent(root)}`)
  const { data } = await call(context, { name: 'channel message', path, schema: Message, needs: PERMISSIONS.messages })
  if (data.createdDateTime || data.deletedDateTime) return data
  throw new Unavailable(mismatch('Microsoft Teams', 'GET channel message', 'createdDateTime'))
}
