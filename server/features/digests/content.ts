import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { insightOutputs, pickFields } from '@groundswell/contract/insight-fields.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { readThreshold, readWaiting } from '../deliveries/index.ts'
import { type InsightRow, readShipped, readShownInsights, spanOf, viewChanges } from '../insights/index.ts'

/** A part of a digest. `counted`: its place in the subject, as in "3 new". */
/** `tab`: of the panel, which the links of this part open. */
export type DigestPart = { title: string; counted: string; lines: DigestLine[]; more: number; tab?: 'activity' }
type DigestInsight = Pick<InsightRow, (typeof insightOutputs.digest)[number]>
type DigestLine = { number: number; name: string; note: string }

const SHOWN = 10

/**
 * What a digest says about the time since then; null when nothing happened: insights that wait for review are listed beside news, and are news only
 * where one got more mentions.
 */
export async function viewDigest(tx: Tx, workspaceId: string, since: Date, now: Date): Promise<DigestPart[] | null> {
  const changes = await viewChanges(tx, workspaceId, spanOf(since, now))
  const shipped = (await readShipped(tx, workspaceId, since)).filter((number) => !changes.regressed.includes(number))
  const waiting = await readWaiting(tx, workspaceId, await readThreshold(tx, workspaceId))
  const arrived = new Set(changes.added.map((one) => one.issue_number))
  const changed = new Map(changes.changed?.map((one) => [one.issue_number, one.count]))
  const numbers = [...changes.new, ...changes.growing, ...changes.regressed, ...shipped, ...waiting]
  const insights = await readShownInsights(tx, workspaceId, { numbers: [...new Set(numbers)] })
  const named = new Map(insights.map((one) => [one.issue_number, pickFields(one, insightOutputs.digest)]))
  const part = (
    title: string,
    counted: string,
    found: readonly number[],
    note: (insight: DigestInsight) => string,
  ): DigestPart => {
    const ofPart = new Set(found)
    const largest = [...named.values()].filter((one) => ofPart.has(one.issue_number))
    const lines = largest
      .slice(0, SHOWN)
      .map((one) => ({ number: one.issue_number, name: one.issue_name, note: note(one) }))
    return { title, counted, lines, more: largest.length - lines.length }
  }
  const parts = [
    part('New', 'new', changes.new, (one) => counted(one.mention_count, 'mention')),
    part(
      'Growing',
      'growing',
      changes.growing,
      (one) => `${changed.get(one.issue_number) ?? 0} more, ${counted(one.mention_count, 'mention')} in all`,
    ),
    part('Regressed', 'regressed', changes.regressed, () => 'mentioned again after it was resolved'),
    part('Shipped', 'shipped', shipped, ({ mention_count, people_count: people }) =>
      people > 0 ? `asked for by ${counted(people, 'person', 'people')}` : counted(mention_count, 'mention'),
    ),
    part('Waiting for review', 'waiting', waiting, (one) => `${counted(one.mention_count, 'mention')}, not pushed yet`),
  ].filter(({ lines }) => lines.length > 0)
  const isNews = parts.some(({ counted }) => counted !== 'waiting') || waiting.some((number) => arrived.has(number))
  return isNews ? parts : null
}
