import type { Mention } from '@groundswell/contract/insights.ts'
import type { EvidenceRow } from './evidence-store.ts'

/** A mention as lists show it, without its message: the row may hold only a part of that. */
export function shortMention(row: EvidenceRow): Mention {
  return {
    id: `${row.itemId}:${row.number}`,
    text: row.text,
    link: row.link,
    date: row.saidAt.toISOString(),
    ...(row.dateKnown ? {} : { date_known: false }),
    ...(row.dateOnly ? { date_only: true } : {}),
    author: row.author,
    source: row.source,
    place: row.place,
    ...(row.feedbackKind === null ? {} : { kind: row.feedbackKind }),
    ...(row.kindBy === 'person' ? { kind_set_by: 'person' as const } : {}),
  }
}

/** A mention with its whole message and its offsets in it. */
export function fullMention(row: EvidenceRow): Mention {
  return {
    ...shortMention(row),
    message: row.message,
    start: row.start,
    end: row.end,
    ...(row.inThread ? { in_thread: true } : {}),
    ...(row.hasOriginal ? { has_original: true } : {}),
    ...(row.point ? { read_as: row.point } : {}),
    ...(row.point && row.pointCorrected ? { read_as_set_by: 'person' as const } : {}),
  }
}
