import type { FeedbackItem } from '../connector.ts'
import type { Names } from '../kit/mrkdwn/text.ts'
import type { SlackSettings } from './manifest.ts'
import { mentionedIn, messageText } from './message-text.ts'
import type { Message } from './schema.ts'

/** Kinds of message with text by a person or an app. All others are about joins, topics, pins and the like. */
const WRITTEN = new Set([
  'bot_message',
  'file_comment',
  'file_share',
  'me_message',
  'reply_broadcast',
  'thread_broadcast',
])

/** The rest of a deleted message that has replies. */
export const isTombstone = (message: Message) => message.subtype === 'tombstone'

/** A message's permanent id: the same in history, in a thread and in an event. */
export const externalId = (team: string, channel: string, ts: string) => `${team}:${channel}:${ts}`

/** True for messages of people and other apps; false for our own apps, also the one that posts, and Slack's notices. */
export function isFeedback(message: Message, settings: SlackSettings): boolean {
  const { subtype, bot_id, user, hidden } = message
  if (hidden || (subtype && !WRITTEN.has(subtype))) return false
  const own = [settings, ...(settings.posters ?? [])]
  if (own.some((app) => (bot_id && bot_id === app.bot_id) || (user && user === app.bot_user_id))) return false
  return messageText(message, NO_NAMES) !== ''
}

/** A message that consists of files only. */
export const hasFilesOnly = (message: Message): boolean =>
  Array.isArray(message.files) &&
  message.files.length > 0 &&
  !message.hidden &&
  (!message.subtype || WRITTEN.has(message.subtype)) &&
  messageText(message, NO_NAMES) === ''

const NO_NAMES: Names = new Map<string, string>()

/** The people and channels whose names these messages need. An author whose profile comes with the message is not one. */
export function mentionsOf(messages: readonly Message[]): { people: Set<string>; channels: Set<string> } {
  const people = new Set<string>()
  const channels = new Set<string>()
  for (const message of messages) {
    if (message.user && profileName(message) === null) people.add(message.user)
    const mentioned = mentionedIn(message)
    for (const id of mentioned.people) people.add(id)
    for (const id of mentioned.channels) channels.add(id)
  }
  return { people, channels }
}

const profileName = ({ user_profile }: Message) => user_profile?.display_name || user_profile?.real_name || null

function authorOf(message: Message, names: Names): string | null {
  const { user, username, bot_id } = message
  const known = user ? names.get(user) : undefined
  // A person who was not found is listed under the id.
  if (known !== undefined && known !== user) return known
  return profileName(message) || user || username || bot_id || null
}

export type Place = { id: string; name: string | null }

/** A message as feedback. Its thread has the id of the root, which belongs to it. */
export function toItem(message: Message, place: Place, settings: SlackSettings, names: Names): FeedbackItem {
  const { ts } = message
  const root = message.thread_ts ?? ts
  return {
    externalId: externalId(settings.team_id, place.id, ts),
    text: messageText(message, names),
    author: authorOf(message, names),
    at: dateOf(ts),
    link: permalink(settings.workspace_url, place.id, ts, root),
    thread: externalId(settings.team_id, place.id, root),
    place: place.name === null ? null : `#${place.name}`,
    ...(message.edited ? { version: versionOf(message.edited.ts) } : {}),
  }
}

/** When a message was posted, to the millisecond. */
export const dateOf = (ts: string) => new Date(Math.round(Number(ts) * 1000))

/** A time of Slack as the version of an item: microseconds since 1970. */
export function versionOf(ts: string): number {
  const [seconds = '', rest = ''] = ts.split('.')
  return Number(seconds) * 1_000_000 + Number(rest.padEnd(6, '0').slice(0, 6))
}

/** The permalink, built: one request per message would cost more than the message. */
export function permalink(
  workspace: string | null | undefined,
  channel: string,
  ts: string,
  root: string,
): string | null {
  if (!workspace) return null
  const path = `${workspace}/archives/${encodeURIComponent(channel)}/p${ts.replace('.', '')}`
  return root === ts ? path : `${path}?thread_ts=${root}&cid=${encodeURIComponent(channel)}`
}
