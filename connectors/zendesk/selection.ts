import type { ZendeskSettings } from './manifest.ts'
import type { Ticket } from './schema.ts'

const YEAR_SECONDS = 365 * 86_400

/** The version of the reader of tickets. With a new one, every ticket is read again: version 2 reads conversations and voicemails, and no records of calls. */
const READING = 2

/** Which tickets a connection reads. `start` is in epoch seconds; `key` differs wherever the restrictions differ. */
export type Selection = { start: number; key: string; includes: (ticket: Ticket) => boolean }

/** The choices of a connection. An invalid start date or an empty list restricts nothing. */
export function selectionOf(settings: ZendeskSettings, now: Date): Selection {
  const [brands, groups, channels] = [settings.brands, settings.groups, settings.skip_channels].map(
    (list) => new Set(list),
  ) as [Set<string>, Set<string>, Set<string>]
  const tags = new Set((settings.skip_tags ?? []).flatMap((text) => text.toLowerCase().split(/[\s,]+/)).filter(Boolean))
  const has = (set: ReadonlySet<string>, id: number | null | undefined) =>
    set.size === 0 || (typeof id === 'number' && set.has(String(id)))
  return {
    start: startOf(settings.start_date?.[0], now),
    key: JSON.stringify([READING, ...[brands, groups, channels, tags].map((set) => [...set].toSorted())]),
    includes: (ticket) =>
      has(brands, ticket.brand_id) &&
      has(groups, ticket.group_id) &&
      !channels.has(ticket.via?.channel ?? '') &&
      !(ticket.tags ?? []).some((tag) => tags.has(tag.toLowerCase())),
  }
}

function startOf(date: string | undefined, now: Date): number {
  const seconds = Math.floor(now.getTime() / 1000)
  const chosen = /^\d{4}-\d\d-\d\d$/.test(date ?? '') ? Date.parse(`${date}T00:00:00Z`) / 1000 : Number.NaN
  return Number.isNaN(chosen) ? seconds - YEAR_SECONDS : Math.max(0, chosen)
}

/** Channels of conversations besides those that Zendesk marks as such, which it began to do later. */
const CONVERSATIONS = new Set(
  `any_channel apple_business_chat business_messaging_slack_connect chat chat_transcript facebook google_business_messages google_rcs
  instagram_dm kakaotalk line messagebird_sms native_messaging sms telegram twilio_sms twitter viber wechat whatsapp`.split(
    /\s+/,
  ),
)

/** Whether a ticket came through a channel whose messages Zendesk keeps as a transcript, or in the ticket's audits. */
export function isConversation({ from_messaging_channel, via }: Ticket): boolean {
  const channel = via?.channel ?? ''
  return from_messaging_channel === true || CONVERSATIONS.has(channel) || channel.startsWith('sunshine_conversations_')
}
