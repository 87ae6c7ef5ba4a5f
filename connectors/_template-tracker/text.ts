import type { InsightDocument } from '../kit/documents/insight-document.ts'

/** The text of an item: the tracker shows it as it is. */
export function itemText({ summary, counts, tags, quotes, link }: InsightDocument): string {
  const parts = [
    summary,
    mentions(counts),
    tags.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    ...quotes.map(
      (quote) => `“${quote.text}” – ${[quote.author, quote.source, quote.link].filter(Boolean).join(', ')}`,
    ),
    link === null ? '' : `More: ${link}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The text of the one comment, which changes with each update. */
export function commentText({ counts, updated }: InsightDocument): string {
  return `Mentioned again. ${mentions(counts)} (${updated.toISOString().slice(0, 10)})`
}

const mentions = ({ mentions: count, people }: InsightDocument['counts']) => `${count} mentions by ${people} people.`
