import { Badge } from '../../../ui/badge.tsx'
import { teamLabel, teamTone } from './team-words.ts'

/** What the team does about an insight. */
export function TeamBadge({ value }: { value: string }) {
  return <Badge tone={teamTone(value)}>{teamLabel(value)}</Badge>
}
