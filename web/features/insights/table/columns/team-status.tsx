import { lazyExtra } from '../../../../ui/loading/lazy-part.tsx'
import type { TableColumn } from './column.ts'
import { kindColumn } from './kind.tsx'

// The column is hidden at first.
const TeamBadge = lazyExtra(async () => (await import('../../team-status/team-badge.tsx')).TeamBadge)

/** The status that the team gave the insight; empty without one. */
export const teamStatusColumn = {
  ...kindColumn,
  id: 'team_status',
  label: 'Team status',
  cell: ({ insight }) => (insight.team_status ? <TeamBadge value={insight.team_status} /> : null),
} as const satisfies TableColumn
