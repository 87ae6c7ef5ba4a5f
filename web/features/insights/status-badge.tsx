import { Badge, type Tone } from '../../ui/badge.tsx'

const looks: Record<string, { label: string; tone: Tone }> = {
  created: { label: 'Created', tone: 'accent' },
  pushed: { label: 'Pushed', tone: 'good' },
  resolved: { label: 'Resolved', tone: 'plain' },
  regressed: { label: 'Regressed', tone: 'warn' },
  ignored: { label: 'Ignored', tone: 'plain' },
}

/** An insight's status; a word that another server uses is shown as it is. */
export function StatusBadge({ status }: { status: string }) {
  const look = looks[status] ?? { label: status, tone: 'plain' }
  return <Badge tone={look.tone}>{look.label}</Badge>
}
