import type * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { rolesOf } from './author-role.ts'
import { channelName, namesOf } from './directory.ts'
import { externalId, isFeedback, isTombstone, mentionsOf, toItem, versionOf } from './item.ts'
import { readerSettings, type SlackSettings } from './manifest.ts'
import { Message, MessageEvent, TokensRevoked } from './schema.ts'

/** Kinds of conversation that are private to their members: one person, or a group of people. */
const DIRECT = new Set(['im', 'mpim'])

const nothing = (): EventOutcome => ({ items: [], deleted: [], ended: null })

/** Returns what one event changes: a message or a reply was added, edited or deleted, or the sign-in is over. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const settings = readerSettings(context)
  if (!settings.success) throw new Rejected('Slack is not set up: connect it again')
  if (payload.type === 'app_uninstalled')
    return { ...nothing(), ended: 'The app was removed from Slack. Connect again' }
  if (payload.type === 'tokens_revoked') {
    const revoked = parse(TokensRevoked, payload).tokens?.bot ?? []
    return revoked.length > 0 ? { ...nothing(), ended: 'The sign-in was revoked at Slack. Connect again' } : nothing()
  }
  return payload.type === 'message' ? await handleMessage(context, settings.data, payload) : nothing()
}

async function handleMessage(
  context: Context,
  settings: SlackSettings,
  payload: Record<string, unknown>,
): Promise<EventOutcome> {
  const event = parse(MessageEvent, payload)
  if (DIRECT.has(event.channel_type ?? '') || event.channel.startsWith('D')) return nothing()
  const chosen = settings.channels ?? []
  if (chosen.length > 0 && !chosen.includes(event.channel)) return nothing()
  const gone = (ts: string) => ({ ...nothing(), deleted: [externalId(settings.team_id, event.channel, ts)] })
  if (event.subtype === 'message_deleted') return event.deleted_ts ? gone(event.deleted_ts) : nothing()
  const changed = event.subtype === 'message_changed'
  const message = parse(Message, changed ? event.message : payload)
  if (isTombstone(message)) return gone(message.ts)
  // An edit arrives as a hidden notice about the message; the message itself is not hidden.
  if (!isFeedback(message, settings)) return nothing()
  const names = await namesOf(context, settings.team_id, mentionsOf([message]), false)
  const place = { id: event.channel, name: await channelName(context, settings.team_id, event.channel) }
  const roleOf = await rolesOf(context, settings, event.channel, [message], false)
  const item = { ...toItem(message, place, settings, names), ...roleOf(message) }
  // Not every change is an edit by the author: an app's change has only the time of its event.
  const version = item.version ?? (changed && event.event_ts ? versionOf(event.event_ts) : undefined)
  return { ...nothing(), items: [version === undefined ? item : { ...item, version }] }
}

function parse<T extends z.ZodMiniType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Rejected('An event from Slack does not match Slack’s documentation')
  return parsed.data as z.infer<T>
}
