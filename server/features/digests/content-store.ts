import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { described, insightsView, shownName } from '../insights/index.ts'

/** An insight as a mail names it. */
export type NamedInsight = { number: number; name: string; mentions: number; people: number }

/** These insights as far as they are shown, those with the most mentions first. */
export async function readNamed(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<NamedInsight[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<NamedInsight>`
    select insight.issue_number as number, ${shownName} as name, insight.mention_count as mentions, insight.people_count as people
    from ${insightsView} insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.issue_number = any(${[...numbers]}::int[]) and insight.shown
    order by insight.mention_count desc, insight.issue_number`.execute(tx)
  return rows
}
