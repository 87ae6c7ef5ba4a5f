import { dateText } from '../../platform/day.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { readItemsAfter } from './store.ts'

/** One piece of feedback as it leaves the product. `date` is ISO 8601, in UTC where it has a time; `source` names the connector, `source_name` the file source. `original`: the HTML that the text was made of, where there is one. */
export type ExportedItem = {
  id: number
  source: string
  source_name: string | null
  external_id: string
  text: string
  author: string | null
  date: string
  link: string | null
  thread: string | null
  place: string | null
  /** Then `date` is when it was imported. */
  date_known?: false
  original?: string
}

const PAGE = 1_000

/** All feedback of a workspace in the order in which it was stored, without holding it or a transaction. */
export async function* exportFeedback(
  services: Pick<Services, 'db'>,
  workspaceId: string,
): AsyncGenerator<ExportedItem> {
  let afterId = 0
  for (;;) {
    const from = afterId
    const rows = await inWorkspace(services.db, workspaceId, (tx) => readItemsAfter(tx, workspaceId, from, PAGE))
    for (const row of rows) {
      afterId = row.id
      yield {
        id: row.id,
        source: row.source,
        source_name: row.sourceName,
        external_id: row.externalId,
        text: row.text,
        author: row.author,
        date: dateText(row.saidAt, row.dateOnly),
        link: row.link,
        thread: row.thread,
        place: row.place,
        ...(row.dateKnown ? {} : { date_known: false as const }),
        ...(row.original === null ? {} : { original: row.original }),
      }
    }
    if (rows.length < PAGE) return
  }
}
