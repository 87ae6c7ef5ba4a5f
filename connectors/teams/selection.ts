import type { TeamsSettings } from './manifest.ts'

const DAY_MS = 86_400_000
/** Graph's delta has the last eight months; the shortest eight are 242 days. */
export const DELTA_DAYS = 240

/** A channel as it is stored: `{team}/{channel}`. */
export const channelKey = (team: string, channel: string) => `${team}/${channel}`

/** What a connection reads. `start` is in epoch milliseconds. Null: every team, every channel of the teams. */
export type Selection = {
  start: number
  teams: readonly string[] | null
  channels: ReadonlySet<string> | null
  shared: ReadonlySet<string>
}

const chosen = (list: readonly string[] | null | undefined) => (list && list.length > 0 ? list : null)

/** The choices of a connection. Chosen channels of a team that is no longer chosen are not read. */
export function selectionOf(settings: TeamsSettings, now: Date): Selection {
  const channels = chosen(settings.channels)
  return {
    start: startOf(settings.start_date?.[0], now),
    teams: chosen(settings.teams),
    channels: channels && new Set(channels),
    shared: new Set(settings.shared_channels),
  }
}

/** Whether a channel is chosen, or its team where no channel of that team is. */
export function includesChannel({ teams, channels }: Selection, team: string, channel: string): boolean {
  if (teams !== null && !teams.includes(team)) return false
  if (channels === null) return true
  const some = [...channels].some((key) => key.startsWith(`${team}/`))
  return some ? channels.has(channelKey(team, channel)) : teams !== null
}

function startOf(date: string | undefined, now: Date): number {
  const chosenDate = /^\d{4}-\d\d-\d\d$/.test(date ?? '') ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return Number.isNaN(chosenDate) ? now.getTime() - DELTA_DAYS * DAY_MS : Math.max(0, chosenDate)
}
