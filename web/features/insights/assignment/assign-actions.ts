import { type AssignmentChange, assignInsights } from '@groundswell/contract/insights/assignment.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { TeamMember } from '@groundswell/contract/team.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { nameOf } from '../../team/index.ts'
import { attempt } from '../actions/attempt.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { DETAIL } from '../panel/detail-query.ts'

/** What shows it. */
const SHOWN = [INSIGHTS, [DETAIL]]

/** Assigns insights to a person (null: to nobody) and shows a toast with one undo for all of them. Never throws. */
export async function assign(
  client: QueryClient,
  insights: readonly Insight[],
  person: TeamMember | null,
): Promise<void> {
  await attempt(client, 'Nothing was assigned', SHOWN, async () => {
    const { undo } = await call(assignInsights, {
      body: {
        changes: insights.map(({ issue_number }) => ({ issue_number, assigned_to: person?.account_id ?? null })),
      },
    })
    const [only] = insights
    toast({
      title: person === null ? 'Assigned to nobody' : `Assigned to ${person.is_me ? 'you' : nameOf(person)}`,
      ...(only ? { description: insights.length === 1 ? only.issue_name : `${insights.length} insights` } : {}),
      ...(undo.length > 0 ? { action: { label: 'Undo', run: () => void revert(client, undo) } } : {}),
    })
  })
}

async function revert(client: QueryClient, changes: AssignmentChange[]): Promise<void> {
  await attempt(client, 'Undo failed', SHOWN, async () => {
    const { undo: done } = await call(assignInsights, { body: { changes } })
    const left = changes.length - done.length
    toast({
      title: left === 0 ? 'Undone' : 'Not everything was undone',
      ...(left === 0 ? {} : { description: `${left} of ${changes.length} changed since, and were kept.` }),
    })
  })
}
