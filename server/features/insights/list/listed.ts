import { givenFields, INSIGHT_FIELDS } from '@groundswell/contract/insight-fields.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { shortMention } from '../mention.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import { readWeeks } from '../weeks-store.ts'
import { endOf, weekOf } from './insight-list.ts'
import { readChangedInsights } from './store.ts'

const RECENT_WEEKS = 4
const MENTIONS = 20
const LONG_LIST = 500
const MENTIONS_IN_LONG_LIST = 3

/**
 * All shown insights as the list has them, for a page that is rendered once: nothing is cached, and costly fields are only read when they are asked
 * for. `evidence`: the newest mentions, which a search looks at. `trend`: of the last 4 weeks.
 */
export async function readListed(
  tx: Tx,
  workspaceId: string,
  now: Date,
  wanted: { evidence: boolean; trend: boolean },
): Promise<Insight[]> {
  const rows = (await readChangedInsights(tx, workspaceId, -1)).filter((row) => row.shown)
  const numbers = rows.map((row) => row.issue_number)
  const tags = Map.groupBy(await readTags(tx, workspaceId, numbers), (one) => one.issueNumber)
  const mentions = numbers.length > LONG_LIST ? MENTIONS_IN_LONG_LIST : MENTIONS
  const evidence = wanted.evidence ? await readNewestEvidence(tx, workspaceId, numbers, mentions) : []
  const quotes = Map.groupBy(evidence, (one) => one.issueNumber)
  const until = endOf(weekOf(now))
  const asked = wanted.trend ? numbers.map((issueNumber) => ({ issueNumber, until })) : []
  const weeks = Map.groupBy(await readWeeks(tx, workspaceId, asked, RECENT_WEEKS), (one) => one.issueNumber)
  return rows.map((row) => {
    const trend = Array.from({ length: RECENT_WEEKS }, () => 0)
    for (const one of weeks.get(row.issue_number) ?? []) trend[RECENT_WEEKS - 1 - one.weeksAgo] = one.mentions
    return {
      ...givenFields(row, INSIGHT_FIELDS),
      evidence: (quotes.get(row.issue_number) ?? []).map(shortMention),
      categories: (tags.get(row.issue_number) ?? []).filter((tag) => tag.value !== null).map(viewTag),
      trend,
    }
  })
}
