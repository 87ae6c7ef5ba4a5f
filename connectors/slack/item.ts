import type { FeedbackItem } from '../connector.ts'
import type { SlackSettings } from './manifest.ts'
import type { Message } from './schema.ts'
import { mentionedIn, plainText } from './text.ts'

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

/** True for messages of people and other apps; false for our own bot and Slack's notices. */
export function isFeedback(message: Message, settings: SlackSettings): boolean {
  const { subtype, bot_id, user, hidden } = message
  if (hidden || (subtype && !WRITTEN.has(subtype))) return false
  if (bot_id && bot_id === settings.bot_id) return false
  if (user && user === settings.bot_user_id) return false
  return source(message).trim() !== ''
}

/** Apps often write only into attachments. */
function source({ text, attachments }: Message): string {
  if (text?.trim()) return text
  return (attachments ?? [])
    .map(({ title, text: body, fallback }) => [title, body || fallback])
    .flat()
    .filter(Boolean)
    .join('\n')
}

/** The people whose names these messages need. */
export function peopleIn(messages: readonly Message[]): Set<string> {
  const people = new Set<string>()
  for (const message of messages) {
    if (message.user) people.add(message.user)
    for (const id of mentionedIn(source(message))) people.add(id)
  }
  return people
}

export type Place = { id: string; name: string | null }

/** A message as feedback. Its thread has the id of the root, which belongs to it. */
export function toItem(
  message: Message,
  place: Place,
  settings: SlackSettings,
  names: ReadonlyMap<string, string>,
): FeedbackItem {
  const { ts, user, username, bot_id } = message
  const root = message.thread_ts ?? ts
  return {
    externalId: externalId(settings.team_id, place.id, ts),
    text: plainText(source(message), names),
    author: (user && (names.get(user) ?? user)) || username || bot_id || null,
    at: new Date(Math.round(Number(ts) * 1000)),
    link: permalink(settings.workspace_url, place.id, ts, root),
    thread: externalId(settings.team_id, place.id, root),
    place: place.name === null ? null : `#${place.name}`,
  }
}

/** The permalink, built: one request per message would cost more than the message. */
function permalink(workspace: string | null | undefined, channel: string, ts: string, root: string): string | null {
  if (!workspace) return null
  const path = `${workspace}/archives/${encodeURIComponent(channel)}/p${ts.replace('.', '')}`
  return root === ts ? path : `${path}?thread_ts=${root}&cid=${encodeURIComponent(channel)}`
}
