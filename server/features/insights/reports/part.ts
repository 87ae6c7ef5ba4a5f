import type { getReportPart } from '@groundswell/contract/reports.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNames } from '../shown-store.ts'
import { type Asked, groupsOf, readScope, type Scope } from './scope.ts'
import { countInsights, type InsightCount } from './store.ts'

/** How many insights of a part are listed. */
const MAX_INSIGHTS = 8

/** The insights behind a part of a report; `key`: of the part, null: the one in none. Throws as `readScope` does. */
export async function viewReportPart(
  tx: Tx,
  workspaceId: string,
  asked: Asked,
  key: string | null,
): Promise<ReplyOf<typeof getReportPart>> {
  const scope = await readScope(tx, workspaceId, asked)
  const counted = await countPart(tx, workspaceId, scope, key)
  const listed = counted.slice(0, MAX_INSIGHTS)
  const names = await readNames(
    tx,
    workspaceId,
    listed.map(({ number }) => number),
  )
  const rest = counted.slice(MAX_INSIGHTS)
  return {
    insights: listed.map(({ number, total, previous }) => ({
      issue_number: number,
      name: names.get(number) ?? `#${number}`,
      total,
      previous,
    })),
    others: {
      insights: rest.length,
      total: rest.reduce((sum, { total }) => sum + total, 0),
      previous: rest.reduce((sum, { previous }) => sum + previous, 0),
    },
  }
}

/** Mentions in a part of a report by insight, most first. */
export async function countPart(
  tx: Tx,
  workspaceId: string,
  { span, shown, parts }: Scope,
  key: string | null,
): Promise<InsightCount[]> {
  if (!('dimension' in parts)) {
    const numbers = shown.filter((number) => parts.keyOf(number) === key)
    return countInsights(tx, workspaceId, span, groupsOf(numbers))
  }
  const { dimension, names } = parts
  const own = key === null || names === null ? key : ([...names].find(([, name]) => name === key)?.[0] ?? '')
  return countInsights(tx, workspaceId, span, groupsOf(shown), { dimension, key: own })
}
