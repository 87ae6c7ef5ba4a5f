import { EXPORT_COLUMNS, givenFields, insightOutputs } from '@groundswell/contract/insight-fields.ts'
import type { Category } from '@groundswell/contract/insights.ts'
import { csvCell } from '@groundswell/contract/values/csv-cell.ts'
import { dateText } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { EvidencePlace, EvidenceRow } from '../evidence-store.ts'
import { shortMention } from '../mention.ts'
import { type InsightRow, readInsight } from '../store.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import { readMentions, readShownNumbers } from './export-store.ts'

type ExportFormat = 'csv' | 'jsonl'
/** Runs a query in a transaction of the workspace. */
type Read = <T>(work: (tx: Tx, workspaceId: string) => Promise<T>) => Promise<T>
type Exported = ReturnType<typeof viewExported>

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

function viewExported(row: InsightRow, tags: readonly Category[]) {
  return {
    ...givenFields(row, insightOutputs.export),
    customer_count: row.customer_count,
    first_seen: row.first_seen && dateText(row.first_seen, row.first_seen_date_only),
    last_seen: row.last_seen && dateText(row.last_seen, row.last_seen_date_only),
    categories: tags.filter((tag) => tag.option_value !== null),
  }
}

async function* csvOf(read: Read, insight: Exported): AsyncGenerator<string> {
  const tags = insight.categories.map((tag) => `${tag.cat_name}: ${tag.option_value}`).join('; ')
  const { beforeTags, afterTags } = insightOutputs.csv
  const before = beforeTags.map((name) => csvCell(insight[name]))
  const after = afterTags.map((name) => csvCell(insight[name] ?? null))
  const start = [...before, csvCell(tags), ...after].join(',')
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
