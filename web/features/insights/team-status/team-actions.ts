import type { Insight } from '@groundswell/contract/insights.ts'
import { setTeamStatus, type TeamStatusChange } from '@groundswell/contract/team-status.ts'
import type { TeamStatus } from '@groundswell/contract/team-status-value.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { DETAIL } from '../panel/detail-query.ts'
import { teamLabel } from './team-words.ts'

/** Sets the team status of insights (null: none) and shows a toast with one undo for all of them. Never throws. */
export async function setTeam(
  client: QueryClient,
  insights: readonly Insight[],
  value: TeamStatus | null,
): Promise<void> {
  await attempt(client, 'The team status was not changed', async () => {
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
  await attempt(client, 'Undo failed', async () => {
    const { undo: done } = await call(setTeamStatus, { body: { changes } })
    const left = changes.length - done.length
    toast({
      title: left === 0 ? 'Undone' : 'Not everything was undone',
      ...(left === 0 ? {} : { description: `${left} of ${changes.length} changed again since, and stay.` }),
    })
  })
}

/** Afterwards refetches what shows it. */
async function attempt(client: QueryClient, failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ title: failed, description: error instanceof Error ? error.message : String(error), tone: 'destructive' })
  }
  await Promise.all([INSIGHTS, [DETAIL]].map((queryKey) => client.invalidateQueries({ queryKey })))
}
