import { EXPORT_COLUMNS } from '@groundswell/contract/insights/insight-export.ts'
import type { Category, Insight } from '@groundswell/contract/insights.ts'
import { dateText } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { csvCell } from '../../../platform/http/csv-cell.ts'
import type { EvidencePlace, EvidenceRow } from '../evidence-store.ts'
import { shortMention } from '../mention.ts'
import { type InsightRow, readInsight } from '../store.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import { readMentions, readShownNumbers } from './export-store.ts'

export type ExportFormat = 'csv' | 'jsonl'
/** Runs a query in a transaction of the workspace. */
type Read = <T>(work: (tx: Tx, workspaceId: string) => Promise<T>) => Promise<T>
type Exported = Omit<Insight, 'evidence' | 'trend' | 'trend_end' | 'revision'>

const PAGE = 500
/** Without it spreadsheets do not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Insights with all their mentions, in the order of `numbers`, or all insights without it; those that are not shown are left out. CSV has a
 * line for each mention, JSONL one for each insight. Read as it is consumed, a page of mentions at a time: the file of a large workspace is never
 * in memory as a whole, and may show a mention as it was some pages later.
 */
export async function* exportFile(
  read: Read,
  format: ExportFormat,
  numbers: readonly number[] | undefined,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${BYTE_ORDER_MARK}${EXPORT_COLUMNS.join(',')}\r\n`
  for (const number of numbers ?? (await read(readShownNumbers))) {
    const found = await read(async (tx, workspaceId) => {
      const row = await readInsight(tx, workspaceId, number)
      if (!row?.shown) return null
      return { insight: viewExported(row, (await readTags(tx, workspaceId, [number])).map(viewTag)) }
    })
    if (!found) continue
    yield* format === 'csv' ? csvOf(read, found.insight) : jsonOf(read, found.insight)
  }
}

function viewExported(row: InsightRow, tags: readonly Category[]): Exported {
  return {
    issue_number: row.issueNumber,
    issue_name: row.name,
    summary: row.summary,
    status: row.status,
    ...(row.teamStatus === null ? {} : { team_status: row.teamStatus }),
    mention_count: row.mentionCount,
    people_count: row.peopleCount,
    customer_count: row.customerCount,
    ...(row.revenue === null ? {} : { revenue: row.revenue }),
    first_seen: row.firstSeen && dateText(row.firstSeen, row.firstDateOnly),
    last_seen: row.lastSeen && dateText(row.lastSeen, row.lastDateOnly),
    last_updated: row.lastUpdated.toISOString(),
    sources: row.sources,
    categories: tags.filter((tag) => tag.option_value !== null),
  }
}

async function* csvOf(read: Read, insight: Exported): AsyncGenerator<string> {
  const { categories, ...one } = insight
  const tags = categories.map((tag) => `${tag.cat_name}: ${tag.option_value}`).join('; ')
  const cells = EXPORT_COLUMNS.slice(0, 9).map((column) =>
    csvCell(one[column as keyof typeof one] as string | number | null),
  )
  const start = [
    ...cells,
    csvCell(tags),
    ...[insight.team_status ?? null, insight.customer_count ?? 0, insight.revenue ?? null].map(csvCell),
  ].join(',')
  for await (const page of mentionsOf(read, insight.issue_number)) {
    yield page
      .map(({ saidAt, dateKnown, dateOnly, author, source, place, text, link }) => {
        const mention = [dateKnown ? dateText(saidAt, dateOnly) : '', author, source, place, text, link].map(csvCell)
        return `${start},${mention.join(',')}\r\n`
      })
      .join('')
  }
}

/** One line, written in pieces: an insight may have more mentions than a text may be long. */
async function* jsonOf(read: Read, insight: Exported): AsyncGenerator<string> {
  yield `${JSON.stringify(insight).slice(0, -1)},"evidence":[`
  let comma = ''
  for await (const page of mentionsOf(read, insight.issue_number)) {
    yield `${comma}${page.map((row) => JSON.stringify({ ...shortMention(row), date: dateText(row.saidAt, row.dateOnly) })).join(',')}`
    comma = ','
  }
  yield ']}\n'
}

async function* mentionsOf(read: Read, issueNumber: number): AsyncGenerator<EvidenceRow[]> {
  let after: EvidencePlace | null = null
  for (;;) {
    const from = after
    const page: EvidenceRow[] = await read((tx, workspaceId) => readMentions(tx, workspaceId, issueNumber, from, PAGE))
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1) ?? null
  }
}
