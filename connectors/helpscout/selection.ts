import type { HelpScoutSettings } from './manifest.ts'
import type { Conversation } from './schema.ts'

const YEAR_SECONDS = 365 * 86_400

/**
 * Which conversations a connection reads. `start` is in epoch seconds; `key` differs wherever the restrictions differ. `inbox`: the
 * only one that is chosen, by which Help Scout can filter.
 */
export type Selection = {
  start: number
  key: string
  inbox: string | null
  includes: (conversation: Conversation) => boolean
}

/** The choices of a connection. An invalid start date or an empty list restricts nothing. */
export function selectionOf(settings: HelpScoutSettings, now: Date): Selection {
  const inboxes = new Set(settings.inboxes)
  const [tags, skipped] = [tagsOf(settings.tags), tagsOf(settings.skip_tags)]
  const [first = null] = inboxes
  return {
    start: startOf(settings.start_date?.[0], now),
    key: JSON.stringify([inboxes, tags, skipped].map((set) => [...set].toSorted())),
    inbox: inboxes.size === 1 && /^\d+$/.test(first ?? '') ? first : null,
    includes: (conversation) => {
      const own = (conversation.tags ?? []).map(({ tag }) => tag.toLowerCase().trim())
      return (
        (inboxes.size === 0 || inboxes.has(String(conversation.mailboxId))) &&
        (tags.size === 0 || own.some((tag) => tags.has(tag))) &&
        !own.some((tag) => skipped.has(tag))
      )
    },
  }
}

/** Tags may contain spaces, so only commas separate them. */
const tagsOf = (texts: readonly string[] | null | undefined) =>
  new Set((texts ?? []).flatMap((text) => text.toLowerCase().split(',')).flatMap((tag) => tag.trim() || []))

function startOf(date: string | undefined, now: Date): number {
  const chosen = /^\d{4}-\d\d-\d\d$/.test(date ?? '') ? Date.parse(`${date}T00:00:00Z`) / 1000 : Number.NaN
  return Number.isNaN(chosen) ? Math.floor(now.getTime() / 1000) - YEAR_SECONDS : Math.max(0, chosen)
}
