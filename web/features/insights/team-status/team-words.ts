import type { TeamStatus } from '@groundswell/contract/insights/team-status-value.ts'
import type { Tone } from '../../../ui/badge.tsx'

const WORDS: Readonly<Record<TeamStatus, { label: string; tone: Tone }>> = {
  planned: { label: 'Planned', tone: 'accent' },
  in_progress: { label: 'In progress', tone: 'warn' },
  shipped: { label: 'Shipped', tone: 'good' },
  wont_do: { label: 'Won’t do', tone: 'plain' },
}

/** All values, in the order in which they are shown and numbered. */
export const TEAM_STATUSES = Object.keys(WORDS) as readonly TeamStatus[]

/** The label of a team status; an unknown one in an address is shown as it is. */
export function teamLabel(value: string): string {
  return isTeamStatus(value) ? WORDS[value].label : value
}

/** The color of a team status; plain for one that this version does not know. */
export function teamTone(value: string): Tone {
  return isTeamStatus(value) ? WORDS[value].tone : 'plain'
}

function isTeamStatus(value: string): value is TeamStatus {
  return Object.hasOwn(WORDS, value)
}
