import type { IntercomSettings } from './manifest.ts'
import type { Listed } from './schema.ts'

const YEAR_SECONDS = 365 * 86_400

/** The kinds of authors to choose from, and Intercom's types of each. */
export const AUTHORS = {
  users: { label: 'Users', types: ['user', 'contact'] },
  leads: { label: 'Leads and visitors', types: ['lead', 'visitor'] },
  teammates: { label: 'Teammates', types: ['admin', 'team'] },
  bots: { label: 'Bots and AI agents', types: ['bot', 'operator'] },
} as const satisfies Record<string, { label: string; types: readonly string[] }>

const kinds: readonly [string, readonly string[]][] = Object.entries(AUTHORS).map(([kind, { types }]) => [kind, types])

/** The kind of an author. An unknown type is that of a bot: never a customer. */
export function kindOf(type: string | null | undefined): string {
  return kinds.find(([, types]) => types.includes(type ?? ''))?.[0] ?? 'bots'
}

/** Which conversations a connection reads. `start` is in epoch seconds; `key` differs wherever the restrictions differ. */
export type Selection = {
  start: number
  key: string
  includes: (conversation: Pick<Listed, 'team_assignee_id' | 'tags'>) => boolean
  /** Whether messages of this type of author are read. */
  reads: (authorType: string | null | undefined) => boolean
}

/** The choices of a connection. An invalid start date or an empty list restricts nothing. */
export function selectionOf(settings: IntercomSettings, now: Date): Selection {
  const [teams, tags, authors] = [settings.teams, settings.tags, settings.authors].map((list) => new Set(list)) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  return {
    start: startOf(settings.start_date?.[0], now),
    key: JSON.stringify([teams, tags, authors].map((set) => [...set].toSorted())),
    includes: (conversation) =>
      (teams.size === 0 || teams.has(conversation.team_assignee_id ?? '')) &&
      (tags.size === 0 || (conversation.tags?.tags ?? []).some(({ id }) => tags.has(id))),
    reads: (authorType) => authors.size === 0 || authors.has(kindOf(authorType)),
  }
}

function startOf(date: string | undefined, now: Date): number {
  const seconds = Math.floor(now.getTime() / 1000)
  const chosen = /^\d{4}-\d\d-\d\d$/.test(date ?? '') ? Date.parse(`${date}T00:00:00Z`) / 1000 : Number.NaN
  return Number.isNaN(chosen) ? seconds - YEAR_SECONDS : Math.max(0, chosen)
}
