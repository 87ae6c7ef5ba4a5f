import type { Insight } from '@groundswell/contract/insights.ts'
import { formatMoment } from '../../../ui/moment.ts'

const SHOWN = 3

/** Directly below the summary: what people said, the newest first. The evidence further down has them all, in their messages. */
export function NewestQuotes({ insight }: { insight: Insight }) {
  const quotes = (insight.evidence ?? []).slice(0, SHOWN)
  if (quotes.length === 0) return null
  return (
    <div role="group" aria-label="Newest quotes" className="flex flex-col gap-3">
      {quotes.map((mention, place) => (
        <figure key={mention.id ?? place} className="border-l-2 border-line pl-3">
          <blockquote dir="auto" className="line-clamp-3 break-words" title={mention.text}>
            {mention.text}
          </blockquote>
          <figcaption className="truncate text-small text-muted">
            {mention.author ? <span dir="auto">{mention.author} · </span> : null}
            {formatMoment(mention.date)}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
