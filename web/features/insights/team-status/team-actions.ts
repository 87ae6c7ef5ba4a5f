import { setTeamStatus, type TeamStatusChange } from '@groundswell/contract/insights/team-status.ts'
import type { TeamStatus } from '@groundswell/contract/insights/team-status-value.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { attempt } from '../actions/attempt.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { DETAIL } from '../panel/detail-query.ts'
import { teamLabel } from './team-words.ts'

/** What shows it. */
const SHOWN = [INSIGHTS, [DETAIL]]

/** Sets the team status of insights (null: none) and shows a toast with one undo for all of them. Never throws. */
export async function setTeam(
  client: QueryClient,
  insights: readonly Insight[],
  value: TeamStatus | null,
): Promise<void> {
  await attempt(client, 'The team status was not changed', SHOWN, async () => {
    const { undo } = await call(setTeamStatus, {
      body: { changes: insights.map(({ issue_number }) => ({ issue_number, team_status: value })) },
    })
    const [only] = insights
    toast({
      title: value === null ? 'Team status removed' : `Team status: ${teamLabel(value)}`,
      ...(only ? { description: insights.length === 1 ? only.issue_name : `${insights.length} insights` } : {}),
      ...(undo.length > 0 ? { action: { label: 'Undo', run: () => void revert(client, undo) } } : {}),
    })
  })
}

async function revert(client: QueryClient, changes: TeamStatusChange[]): Promise<void> {
  await attempt(client, 'Undo failed', SHOWN, async () => {
    const { undo: done } = await call(setTeamStatus, { body: { changes } })
    const left = changes.length - done.length
    toast({
      title: left === 0 ? 'Undone' : 'Not everything was undone',
      ...(left === 0 ? {} : { description: `${left} of ${changes.length} changed since, and were kept.` }),
    })
  })
}
