import { type listThemes, THEME_WEEKS } from '@groundswell/contract/insights/themes.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readWeeks } from '../weeks-store.ts'
import { readThemes } from './store.ts'

/** The themes of a workspace, each with the mentions of all its insights in the weeks before `until`. */
export async function viewThemes(tx: Tx, workspaceId: string, until: Date): Promise<ReplyOf<typeof listThemes>> {
  const rows = await readThemes(tx, workspaceId)
  const wanted = rows.flatMap((row) => row.issueNumbers.map((issueNumber) => ({ issueNumber, until })))
  const weeks = wanted.length === 0 ? [] : await readWeeks(tx, workspaceId, wanted, THEME_WEEKS)
  const byInsight = Map.groupBy(weeks, (one) => one.issueNumber)
  return {
    themes: rows.map((row) => {
      const trend = Array.from({ length: THEME_WEEKS }, () => 0)
      for (const issueNumber of row.issueNumbers) {
        for (const { weeksAgo, mentions } of byInsight.get(issueNumber) ?? []) {
          const at = THEME_WEEKS - 1 - weeksAgo
          trend[at] = (trend[at] ?? 0) + mentions
        }
      }
      return {
        theme_id: row.id,
        name: row.name,
        by_person: row.byPerson,
        issue_numbers: row.issueNumbers,
        mention_count: row.mentionCount,
        trend,
      }
    }),
  }
}
