import { Badge, type Tone } from '../../ui/badge.tsx'

const looks: Record<string, { label: string; tone: Tone }> = {
  created: { label: 'Created', tone: 'accent' },
  pushed: { label: 'Pushed', tone: 'good' },
  resolved: { label: 'Resolved', tone: 'plain' },
  regressed: { label: 'Regressed', tone: 'warn' },
  ignored: { label: 'Ignored', tone: 'plain' },
}

/** The label of a status; an unknown one of another server is shown as it is. */
export function statusLabel(status: string): string {
  return looks[status]?.label ?? status
}

/** An insight's status. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={looks[status]?.tone ?? 'plain'}>{statusLabel(status)}</Badge>
}
