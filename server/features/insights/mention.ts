import type { Mention } from '@groundswell/contract/insights.ts'
import type { EvidenceRow } from './evidence-store.ts'

/** A mention as a list shows it: without the message around it, of which the row may hold a part only. */
export function shortMention(row: EvidenceRow): Mention {
  return {
    id: `${row.itemId}:${row.number}`,
    text: row.text,
    link: row.link,
    date: row.saidAt.toISOString(),
    author: row.author,
    source: row.source,
    place: row.place,
  }
}

/** A mention with the whole message and where in it the mention stands. */
export function fullMention(row: EvidenceRow): Mention {
  return { ...shortMention(row), message: row.message, start: row.start, end: row.end }
}
