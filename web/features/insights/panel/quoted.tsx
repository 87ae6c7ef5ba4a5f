import type { Mention } from '@groundswell/contract/insights.ts'
import { saidText } from '../../../ui/text/moment.ts'

/** A quote in at most three lines, with its author and time. `note`: shown beside them. */
export function Quoted({ mention, note }: { mention: Mention; note?: string }) {
  return (
    <figure className="border-l-2 border-line pl-3">
      <blockquote dir="auto" className="line-clamp-3 break-words" title={mention.text}>
        {mention.text}
      </blockquote>
      <figcaption className="truncate text-small text-muted">
        {note ? `${note} · ` : null}
        {mention.author ? <span dir="auto">{mention.author} · </span> : null}
        {saidText(mention)}
      </figcaption>
    </figure>
  )
}
