import type { Context } from '../connector.ts'
import { mismatch } from '../kit/http/json-call.ts'
import { acceptWithout, type SetAside, type Unread } from '../kit/set-aside.ts'
import { externalId, type Place, permalink } from './item.ts'
import type { SlackSettings } from './manifest.ts'
import type { MessagePage } from './message-page.ts'

const labelOf = ({ id, name }: Place) => (name === null ? id : `#${name}`)

/** A channel whose history could not be read. */
export function unreadChannel({ workspace_url }: SlackSettings, place: Place): Unread {
  const link = workspace_url ? `${workspace_url}/archives/${encodeURIComponent(place.id)}` : null
  return { id: place.id, noun: 'channel', label: labelOf(place), link }
}

/** A thread whose replies could not be read. */
export function unreadThread({ team_id, workspace_url }: SlackSettings, place: Place, ts: string): Unread {
  const link = permalink(workspace_url, place.id, ts, ts)
  return { id: externalId(team_id, place.id, ts), noun: 'thread', label: labelOf(place), link }
}

/** Accepts a page without the messages that could not be parsed, once they have failed often enough. Without a time they have no id. */
export function acceptMessages(
  context: Context,
  aside: SetAside,
  place: Place,
  method: string,
  page: MessagePage,
): void {
  const unread = page.malformed.map(
    (): Unread => ({ id: `${place.id}:`, noun: 'message', label: labelOf(place), link: null, again: false }),
  )
  const message = mismatch('Slack', `GET ${method}`, `messages.${page.malformed[0]}`)
  acceptWithout(aside, unread, { message, read: page.messages.length, now: context.now() })
}
